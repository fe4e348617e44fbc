import { afterEach, beforeEach, expect, it } from 'vitest'
import { MOST_WAITING } from '#domain/limits/waiting-work.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { forVisitor } from '#server/platform/visits.ts'
import { aJob } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
let letGo: () => void
let working: Promise<unknown>[]
beforeEach(async () => {
  test = await openTestDatabase()
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  // One more, and nobody else may wait.
  working = Array.from({ length: MOST_WAITING - 1 }, (_, n) =>
    test.db.transaction(async trx => {
      await held
      await add(`waits ${n}`)(trx)
    }),
  )
})
afterEach(() => test.close())

const add = (key: string) => (trx: Writer) => trx.insertInto('jobs').values(aJob(key)).execute()
const visitorAsks = (key: string) => forVisitor(() => test.db.transaction(add(key)))
const refused = { code: 'temporarily-unavailable', status: 503 }

it('refuses a visitor at once while too much waits, and takes the next when it is done', async () => {
  const last = visitorAsks('the last who may wait')
  await expect(visitorAsks('one too many')).rejects.toMatchObject(refused)
  letGo()
  await Promise.all([...working, last])
  await visitorAsks('the next')
  const rows = await test.db.read(db => db.selectFrom('jobs').select('dedupe_key').execute())
  expect(rows).toHaveLength(MOST_WAITING + 1)
})

it('does what it has taken of a visitor’s request to its end, and refuses no work of its own', async () => {
  let isFull: () => void = () => {}
  const full = new Promise<void>(resolve => {
    isFull = resolve
  })
  const taken = forVisitor(async () => {
    const first = test.db.transaction(add('the first half'))
    await full
    // By now too much waits: whoever comes is refused.
    return Promise.all([first, test.db.transaction(add('the second half'))])
  })
  const job = test.db.transaction(add('a job'))
  await expect(visitorAsks('one too many')).rejects.toMatchObject(refused)
  isFull()
  letGo()
  await Promise.all([...working, taken, job])
})
