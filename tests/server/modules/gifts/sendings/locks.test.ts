import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendings as sendingsJob } from '#server/app/schedule/sendings.ts'
import { createSendings } from '#server/modules/gifts/sendings/sendings.ts'
import { mailboxInLink, moveSending, sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

const NINE = Date.parse('2026-12-24T08:00:00Z')
const TYPED = { address: 'nora@nora.example', day: '2026-12-24', zone: 'Europe/Madrid' }
const clock = fakeClock(CREATED_AT)

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
  clock.set(CREATED_AT)
})
afterEach(() => test.close())

const sendings = (db: Database) => createSendings({ db, keys: testKeys, clock })
const run = (db: Database) => sendingsJob({ db, keys: testKeys, clock }).run({ goOn: async () => {} })
const rowOf = async (cardId: string) => (await test.db.read(db => sendingOf(db, cardId)))!

/** A gift that is mailed today, and the link that stops such mails. */
async function due() {
  const { cardId } = await test.db.transaction(trx => sellCard(trx))
  await sendings(test.db).plan(cardId, testKeys.sendingKey(cardId, 1), TYPED)
  clock.set(NINE)
  const digest = (await rowOf(cardId)).address_digest!
  return { cardId, link: [mailboxInLink(digest), testKeys.unwantedKey(digest)] as const }
}

const mails = async () =>
  (await test.db.read(db => db.selectFrom('jobs').select('kind').execute())).map(({ kind }) => kind)

describe('a step of a sending', () => {
  it('is taken from the state in which it was read, and from no other', async () => {
    const { cardId } = await due()
    const asRead = await rowOf(cardId)
    const move = (db: Database) =>
      db.transaction(trx => moveSending(trx, asRead, 'stop', { why: 'giver', changed_at: NINE }))
    await test.db.transaction(trx => moveSending(trx, asRead, 'send', { changed_at: NINE }))
    expect(await move(test.db)).toBe(false)
    expect(await rowOf(cardId)).toMatchObject({ state: 'sending' })
    // Without the comparison a mail that is on its way would be taken for one that was stopped.
    expect(await move(withoutGuard(test.db, 'sendings', 'state'))).toBe(true)
    expect(await rowOf(cardId)).toMatchObject({ state: 'stopped' })
  })
})

// SQLite has one writer at a time: nobody waits for a row.
if (process.env.TEST_ENGINE === 'postgres') {
  /** Waits until somebody waits for a lock of this database. */
  async function somebodyWaits(db: Database): Promise<void> {
    for (;;) {
      const { rows } = await db.transaction(trx =>
        sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(trx),
      )
      if (rows[0]!.n > 0) return
      await wait(5)
    }
  }

  /** Has one do its work in a transaction that stays open until the other waits for the card. */
  async function oneAfterTheOther(
    cardId: string,
    first: (db: Database) => Promise<unknown>,
    second: (db: Database) => Promise<unknown>,
  ): Promise<void> {
    const [other, watcher] = [await test.another(), await test.another()]
    // Another server knows nothing of the transaction in which this one stands.
    const asAnother = AsyncLocalStorage.snapshot()
    let waiting: Promise<unknown> | undefined
    const held: Database = {
      ...test.db,
      transaction: fn =>
        test.db.transaction(async trx => {
          await lockCard(trx, 'donation', cardId)
          const result = await fn(trx)
          if (waiting === undefined) {
            waiting = asAnother(() => second(other))
            await asAnother(() => somebodyWaits(watcher))
          }
          return result
        }),
    }
    await first(held)
    await waiting
  }

  describe('“not for me” and the job', () => {
    it('when the job is first: the mail that it queued does not go, and the gift has new links', async () => {
      const { cardId, link } = await due()
      await oneAfterTheOther(cardId, run, db => sendings(db).refuseGifts(...link))
      expect(await rowOf(cardId)).toMatchObject({ state: 'returned', why: 'unwanted' })
      expect(await mails()).toEqual(['sending-returned'])
      const { key_version: version } = await test.db.read(db =>
        db.selectFrom('cards').select('key_version').where('id', '=', cardId).executeTakeFirstOrThrow(),
      )
      expect(version).toBe(2)
    })

    it('when the reader is first: nothing is queued for them', async () => {
      const { cardId, link } = await due()
      await oneAfterTheOther(cardId, db => sendings(db).refuseGifts(...link), run)
      expect(await rowOf(cardId)).toMatchObject({ state: 'returned', why: 'unwanted' })
      expect(await mails()).toEqual(['sending-returned'])
    })
  })
}
