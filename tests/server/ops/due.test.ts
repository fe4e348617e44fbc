import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { noteReview, noteVersion } from '#server/modules/reports/duties.ts'
import { writeDown } from '#server/ops/audit.ts'
import { type Command, Refusal, type Tools } from '#server/ops/command.ts'
import { did, due } from '#server/ops/due.ts'
import { CREATED_AT, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let tools: Tools
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  await beginCounts(test.db, testKeys, CREATED_AT)
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { DATA_DIR: test.location.dataDir, CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    progress() {},
  }
})
afterEach(() => test.close())

/** Runs a command as `main.ts` does. */
async function ops(command: Command, ...args: string[]): Promise<readonly string[]> {
  const { lines, ok } = await command.run(tools, args)
  await writeDown(command.name, args, ok, tools)
  return lines
}

it('says what is due with amount, currency and command, and no more of it once it is done', async () => {
  expect(await ops(due)).toEqual(['Nothing is due.'])
  const card = await test.db.transaction(trx => sellCard(trx, { currency: 'USD' }))
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
  await cards.redeem(card.privateKey, [{ ngoId: 'msf', points: 50 }])
  clock.set('2026-04-01T09:00:00Z')
  expect((await ops(due))[0]).toMatch(
    /^Due until 2026-04-15: ask organisations for accounts.* 50\.00 USD owed, with no confirmed account, to 1 organisation, the oldest since 2026-03-10\. npm run ops -- account list /,
  )
  const account = { legalName: 'Metges', contact: 'msf@example.org', iban: 'ES9121000418450200051332' }
  await proposePayee(test.db, testKeys, { ngoId: 'msf', language: 'es', ...account }, clock())
  expect((await ops(due))[0]).toContain('1 account to confirm, the oldest since 2026-04-01; 50.00 USD owed')
  await confirmPayee(test.db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, clock())
  clock.set('2026-04-02T09:00:00Z')
  const [first, second, ...more] = await ops(due)
  expect(first).toMatch(
    /^Due until 2026-04-15: pay the organisations in one run\. 50\.00 USD owed to 1 organisation, the oldest since 2026-03-10\. npm run ops -- payout run 2026-04 /,
  )
  expect(second).toMatch(/^Due until 2026-04-20: .* npm run ops -- vat 2026-Q1, then npm run ops -- did vat /)
  expect(more).toEqual([])
  await ops(did, 'vat')
  expect(await ops(due)).toEqual([first])
  clock.set('2026-07-21T09:00:00Z')
  expect((await ops(due))[0]).toMatch(/^Late since 2026-04-16: pay/)
})

it('notes on which day it was done, in the audit log', async () => {
  clock.set('2026-07-20T09:00:00Z')
  await ops(did, 'vat', '--on', '2026-06-30')
  expect((await ops(due)).join('\n')).toContain('vat 2026-Q2')
  await ops(did, 'vat', '--on', '2026-07-01')
  expect((await ops(due)).join('\n')).not.toContain('vat')
  const rows = await test.db.read(db => db.selectFrom('audit_log').select(['action', 'subject']).execute())
  expect(rows.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    'did vat 2026-06-30',
    'did vat 2026-07-01',
  ])
})

it('does not ask for a new version where one was installed since', async () => {
  await noteVersion(test.db, '1.0.0', clock())
  clock.set('2026-05-01T09:00:00Z')
  expect((await ops(due)).join('\n')).toContain('look for a new version, and install it')
  await noteVersion(test.db, '1.0.0', clock())
  expect((await ops(due)).join('\n')).toContain('look for a new version')
  await noteVersion(test.db, '1.1.0', clock())
  expect((await ops(due)).join('\n')).not.toContain('look for a new version')
})

it.each([
  [['payouts'], /not noted by hand/],
  [['laundry'], /There is no duty/],
  [[], /Say one duty/],
  [['vat', '--on', '2026-03-11'], /still to come/],
  [['vat', '--on', '2026-02-30'], /is not a day/],
])('refuses did %j', async (args, words) => {
  await expect(ops(did, ...args)).rejects.toThrow(words)
  await expect(ops(did, ...args)).rejects.toBeInstanceOf(Refusal)
})

it('knows the review of the organisations from the content, and findings from the daily check', async () => {
  clock.set('2026-11-02T09:00:00Z')
  expect((await ops(due)).join('\n')).toContain('review the organisations')
  await noteReview(test.db, '2026-11-02')
  await noteReview(test.db, '2026-11-02')
  expect((await ops(due)).join('\n')).not.toContain('review the organisations')
  await test.plant(
    `insert into periodic_jobs (name, next_run_at, finished_at, outcome, result)
      values ('ledger-check', 1, ${clock()}, 'done', '{"findings":2}')`,
  )
  expect((await ops(due)).join('\n')).toContain('2 findings of the last daily check. npm run ops -- check')
})
