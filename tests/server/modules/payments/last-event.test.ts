import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastEventAt, noteEvent } from '#server/modules/payments/last-event.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

it('notes when the last event came, once a minute at most', async () => {
  const clock = fakeClock(CREATED_AT)
  const noted = async (later: number) => {
    clock.advance(later)
    await noteEvent({ db: test.db, clock })
    return test.db.read(lastEventAt)
  }
  expect(await test.db.read(lastEventAt)).toBeUndefined()
  expect(await noted(0)).toBe(CREATED_AT)
  expect(await noted(59_999)).toBe(CREATED_AT)
  expect(await noted(1)).toBe(CREATED_AT + 60_000)
})
