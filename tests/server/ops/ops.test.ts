import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { sellCards, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

describe('an operator at the terminal', () => {
  let test: TestDatabase
  const folder = mkdtempSync(join(tmpdir(), 'gc-terminal-'))
  beforeAll(async () => {
    test = await openTestDatabase()
    await beginCounts(test.db, testKeys, Date.now())
    await sellCards(test.db, 2)
  })
  afterAll(async () => {
    await test.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const ops = (...args: string[]): Promise<{ code: number; output: string; complaint: string }> =>
    new Promise(resolve => {
      const env = {
        ...process.env,
        DATA_DIR: test.location.dataDir,
        DATABASE_URL: test.location.databaseUrl ?? '',
        CARD_KEY_SECRET: TEST_CARD_SECRET,
      }
      execFile(process.execPath, ['src/server/ops/main.ts', ...args], { env }, (error, output, complaint) =>
        resolve({ code: Number(error?.code ?? 0), output, complaint }),
      )
    })

  it('is told that the ledger is in order', async () => {
    expect(await ops('check')).toMatchObject({ code: 0, output: 'The ledger is in order.\n' })
  })

  it('is told where there is no database to check, and none is made', async () => {
    const dataDir = join(folder, 'nothing')
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
    const said = await new Promise<string>(resolve =>
      execFile(process.execPath, ['src/server/ops/main.ts', 'check'], { env }, (_, __, complaint) =>
        resolve(complaint),
      ),
    )
    expect(said).toContain(`There is no database in ${dataDir}. DATA_DIR`)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('is told where the database is an empty one, and no table is made', async () => {
    await test.plant('alter table schema_steps rename to steps_put_aside')
    const tables = await test.tables()
    const { code, complaint } = await ops('check')
    expect(await test.tables()).toEqual(tables)
    await test.plant('alter table steps_put_aside rename to schema_steps')
    expect(complaint).toMatch(/^(There is no database in|The database of DATABASE_URL is empty)/)
    expect(code).toBe(2)
  })

  it('finds afterwards what was done, and nothing of whom or where to', async () => {
    const file = join(folder, 'a name@of.a.file')
    process.env.PATH = `${postgresBinaries()}:${process.env.PATH}`
    expect(await ops('backup', file)).toMatchObject({ code: 0 })
    await ops('erase', 'somebody@example.org', '--yes')
    expect((await ops('payout', 'create', 'nobody', 'EUR')).code).toBe(2)
    const { code, output } = await ops('audit', '--json')
    const entries: { action: string; actor: string; subject: string | null }[] = JSON.parse(output).entries
    expect([code, entries.map(({ action }) => action)]).toEqual([0, ['erase', 'backup']])
    expect(output).not.toMatch(/somebody|a name/)
    expect(entries.every(({ actor, subject }) => actor === 'terminal' && subject === null)).toBe(true)
  })

  it('is told what is wrong, in words and as data, with an exit code that says so', async () => {
    await test.plant('update cards set credit = credit + 1')
    const words = await ops('check')
    expect(words.code).toBe(1)
    expect(words.output).toMatch(/card-books-differ .* expected \d+\.\d\d EUR, found \d+\.\d\d EUR/)
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
