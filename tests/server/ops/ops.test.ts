import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sellCards } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

describe('an operator at the terminal', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await openTestDatabase()
    await sellCards(test.db, 2)
  })
  afterAll(() => test.close())

  const ops = (...args: string[]): Promise<{ code: number; output: string; complaint: string }> =>
    new Promise(resolve => {
      const env = {
        ...process.env,
        DATA_DIR: test.location.dataDir,
        DATABASE_URL: test.location.databaseUrl ?? '',
      }
      execFile(process.execPath, ['src/server/ops/main.ts', ...args], { env }, (error, output, complaint) =>
        resolve({ code: Number(error?.code ?? 0), output, complaint }),
      )
    })

  it('is told that the ledger is in order', async () => {
    expect(await ops('check')).toMatchObject({ code: 0, output: 'The ledger is in order.\n' })
  })

  it('is told what is wrong, in words and as data, with an exit code that says so', async () => {
    await test.plant('update cards set credit = credit + 1')
    const words = await ops('check')
    expect(words.code).toBe(1)
    expect(words.output).toMatch(/card-books-differ .* expected \d+, found \d+ \(minor units\)/)
    const data = await ops('check', '--json')
    expect(data.code).toBe(1)
    expect(JSON.parse(data.output).findings).toContainEqual(
      expect.objectContaining({ rule: 'card-books-differ' }),
    )
  })

  it('learns the commands, also after a wrong word', async () => {
    expect(await ops('help')).toMatchObject({ code: 0, output: expect.stringContaining('check') })
    expect(await ops('chekc')).toMatchObject({
      code: 2,
      complaint: expect.stringContaining("no command 'chekc'"),
    })
  })
})
