import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { cancelPayout, markPaid, payouts } from '#server/modules/payouts/payouts.ts'
import { makeRun } from '#server/modules/payouts/runs.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { startChild } from '#tests/support/child.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import type { PayoutWork } from '#tests/support/payout-child.ts'

const NGOS = ['cerf', 'msf'] as const
/** A killed process takes a second or more to start: some of its statements, or each. */
const STRIDE = count({ usual: 14, long: 1 })

let test: TestDatabase
const clock = fakeClock(CREATED_AT)
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  for (const ngoId of NGOS) {
    const account = { legalName: ngoId, contact: `${ngoId}@example.org`, iban: 'ES9121000418450200051332' }
    await proposePayee(test.db, testKeys, { ngoId, language: 'en', ...account }, CREATED_AT)
    await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, CREATED_AT)
  }
})
afterEach(() => test.close())

const findings = () => checkLedger(test.db, { keys: testKeys, now: CREATED_AT })

async function give(ngoId: string): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx))
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS })
  await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
}

/** Works until the halt, and is killed there with SIGKILL. @returns whether it came to its end before */
async function workUntilKilled(work: PayoutWork): Promise<boolean> {
  const child = startChild('./payout-child.ts')
  child.send(JSON.stringify(work))
  const said = await child.nextLine()
  await child.kill()
  expect(['halted', 'done']).toContain(said)
  return said === 'done'
}

it(
  'pays nobody twice, and leaves nothing half done, whichever statement of a run, a payment or a cancelling kill −9 meets',
  async () => {
    let isDone = false
    for (let haltsAt = 1; !isDone; haltsAt += STRIDE) {
      for (const ngoId of NGOS) await give(ngoId)
      const runKey = `run-${haltsAt}`
      const work = { location: test.location, secret: TEST_CARD_SECRET, runKey, now: CREATED_AT, haltsAt }
      isDone = await workUntilKilled(work)
      expect(await findings(), `killed at ${haltsAt}`).toEqual([])
      // Whoever comes next does the same again.
      const { payouts: some } = await makeRun(test.db, testKeys, { runKey }, CREATED_AT)
      expect(some).toHaveLength(2)
      await markPaid(test.db, { id: some[0]!.id, reference: `SEPA ${runKey}` }, CREATED_AT, testKeys)
      await cancelPayout(test.db, some[1]!.id, CREATED_AT)
      const made = (await test.db.read(payouts)).filter(({ id }) => some.some(each => each.id === id))
      expect(made.map(({ status }) => status).sort()).toEqual(['cancelled', 'paid'])
      const mails = await test.db.read(db =>
        db.selectFrom('payout_advices').select('id').where('payout_id', '=', some[0]!.id).execute(),
      )
      expect(mails).toHaveLength(1)
      expect(await findings(), `after ${haltsAt}`).toEqual([])
    }
  },
  count({ usual: 240_000, long: 3_600_000 }),
)
