import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { type Due, dutiesDue } from '#domain/desk/duties.ts'
import { DAY_MS } from '#domain/durations.ts'
import { duties } from '#server/app/schedule/duties.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { knownDuties } from '#server/modules/reports/duties.ts'
import { QUERIES } from '#server/modules/reports/queries.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const CARDS = count({ usual: 100, long: 1_000 })
const NGOS = ['cerf', 'msf', 'unicef'] as const

/** Does what one sentence of the mail asks for, as the guide says. */
async function carryOut({ name }: Due, test: TestDatabase, now: number): Promise<void> {
  if (name !== 'payouts')
    return audit(test.db, { actor: 'terminal', action: 'did', subject: name, outcome: 'done' }, now)
  // The guide's run and, in the same half hour or some days later, the bank's statement.
  for (const { ngoId, currency } of await test.db.read(owed)) {
    const { id } = await createPayout(test.db, { ngoId, currency }, now)
    await markPaid(test.db, { id, reference: `of ${now} to ${ngoId}` }, now)
  }
}

it(`a year of ${CARDS} cards asks the operator at most twelve times outside editing`, async () => {
  const test = await openTestDatabase()
  const clock = fakeClock(CREATED_AT)
  try {
    await beginCounts(test.db, testKeys, CREATED_AT)
    const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS })
    const asked: string[] = []
    const acts: Record<string, number> = {}
    const log = { info() {}, error: (event: string) => void asked.push(event) }
    const job = duties({
      db: test.db,
      clock,
      log,
      version: '1.0.0',
      reviewedAt: () => '2026-03-10',
      known: now => QUERIES.duties(test.db, now),
    })
    for (const ngoId of NGOS) {
      const account = { legalName: ngoId, contact: `${ngoId}@example.org`, iban: 'ES9121000418450200051332' }
      await proposePayee(test.db, testKeys, { ngoId, language: 'en', ...account }, CREATED_AT)
      await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, CREATED_AT)
    }
    let sold = 0
    for (let day = 0; day < 365; day++) {
      clock.set(CREATED_AT + day * DAY_MS)
      for (; sold < (CARDS * (day + 1)) / 365; sold++) {
        const card = await test.db.transaction(trx => sellCard(trx))
        await cards.redeem(card.privateKey, [{ ngoId: NGOS[sold % 3]!, points: 50 }])
      }
      const before = asked.length
      await job.run({ goOn: nextTurn })
      if (asked.length === before) continue
      const due = dutiesDue(await test.db.read(db => knownDuties(db, clock())), dayInMadrid(clock()))
      for (const each of due) {
        acts[each.name] = (acts[each.name] ?? 0) + 1
        await carryOut(each, test, clock())
      }
      // No queue of mails here: the month's key is what keeps the job from asking again.
      await test.plant(
        `insert into jobs (id, kind, payload, dedupe_key, run_at, attempts, done_at, created_at)
          values ('asked ${day}', 'alarm', '{}', 'alarm:duties-due:0:${dayInMadrid(clock()).slice(0, 7)}', 1, 1, 1, 1)`,
      )
    }
    expect(sold).toBe(CARDS)
    expect(new Set(asked)).toEqual(new Set(['duties-due']))
    expect(asked.length).toBeLessThanOrEqual(12)
    // As docs/guides/treasurers-year.md says: twelve half hours at most, with so many things in them.
    expect(acts).toEqual({
      payouts: 12,
      vat: 4,
      organisations: 1,
      'donors-report': 1,
      certificates: 1,
      'backup-drill': 2,
      'backup-copies': 4,
      update: 4,
      keys: 1,
      'terms-and-prices': 1,
    })
  } finally {
    await test.close()
  }
})
