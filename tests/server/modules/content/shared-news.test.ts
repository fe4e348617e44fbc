import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSharedNews } from '#server/modules/content/shared-news.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(() => test.plant('delete from sightings'))

const process = async (now = 1_000) => createSharedNews({ db: await test.another(), clock: () => now })

describe('news of the content that one process was told', () => {
  it('reaches every other process once, and not the one that tells it', async () => {
    const [teller, ...others] = await Promise.all([process(), process(), process()])
    for (const other of others) expect(await other!.hasNews()).toBe(false)
    await teller!.tell()
    expect(await teller!.hasNews()).toBe(false)
    for (const other of others) {
      expect(await other!.hasNews()).toBe(true)
      expect(await other!.hasNews()).toBe(false)
    }
  })

  it('is told again in the same millisecond, and by a process whose clock is behind', async () => {
    const [ahead, behind, listener] = await Promise.all([process(5_000), process(1_000), process()])
    for (const teller of [ahead, ahead, behind, behind]) {
      await teller!.tell()
      expect(await listener!.hasNews()).toBe(true)
    }
  })

  it('is found by a process that starts after it', async () => {
    await (await process()).tell()
    expect(await (await process()).hasNews()).toBe(true)
  })
})
