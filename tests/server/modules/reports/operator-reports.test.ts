import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { createFigures } from '#server/modules/reports/figures.ts'
import { createOperatorReports, isReviewDue } from '#server/modules/reports/operator-reports.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { CREATED_AT, inviteFor, sellCards } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { readAudience, readSummary } from '#wire/operator.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const organisation = (name: string, link: string) => ({
  title: inLanguages({ es: name, en: name, fr: name }),
  links: inLanguages({ es: link, en: link, fr: link }),
})
const content = {
  ngoList: {
    year: 2026,
    reviewedAt: '2026-01-15',
    ngos: [organisation('Gone', 'https://gone.example/'), organisation('Shaky', 'https://shaky.example/')],
  },
  volunteeringOrganisations: [organisation('Away', 'https://away.example/')],
  knownNgos: [],
  freeCampaigns: [{ tag: 'free-es', language: 'es', source: 'es', active: true, stock: 7 }],
} as unknown as ContentSnapshot
const reports = () =>
  createOperatorReports({
    db: test.db,
    clock: fakeClock(CREATED_AT),
    content: () => content,
    figures: createFigures(test.db, test.location),
  })

it('tells the figures, what is to be reviewed and what is left of the campaigns, and no person', async () => {
  await sellCards(test.db, 2)
  const told = readSummary.response.parse(await reports().summary())
  expect(told).toMatchObject({
    money: [{ currency: 'EUR', orders: 2, paid: 11_000, being_paid_out: 0 }],
    cards: { active: 2 },
    disputed: 0,
    review: { reviewed_at: '2026-01-15', is_due: false },
    campaigns: [{ tag: 'free-es', stock: 7, claimed: 0 }],
  })
  expect(JSON.stringify(told)).not.toMatch(/buyer|Aina/)
})

it('counts the cards in every state that there is', async () => {
  const [first] = await sellCards(test.db, 2)
  await test.plant(`update cards set status = 'cancelling' where id = '${first!.cardId}'`)
  const { cards } = readSummary.response.parse(await reports().summary())
  expect(cards).toEqual({ active: 1, left: 0, consumed: 0, frozen: 0, cancelling: 1, revoked: 0 })
})

it('names the links of organisations that failed on three days, the longest ago first', async () => {
  const looks = [
    { link: 'https://away.example/', failed: 3, failing_since: 2_000, reason: 'no such site' },
    { link: 'https://gone.example/', failed: 9, failing_since: 1_000, reason: 'answers 404' },
    { link: 'https://shaky.example/', failed: 2, failing_since: 500, reason: 'answers 500' },
    { link: 'https://not-in-the-content.example/', failed: 5, failing_since: 100, reason: 'answers 410' },
  ].map(each => ({ ...each, looked_at: 3_000 }))
  await test.db.transaction(trx => trx.insertInto('link_looks').values(looks).execute())
  expect(readSummary.response.parse(await reports().summary()).dead_links).toEqual([
    { link: 'https://gone.example/', organisation: 'Gone', reason: 'answers 404', since: 1_000 },
    { link: 'https://away.example/', organisation: 'Away', reason: 'no such site', since: 2_000 },
  ])
})

it('reads the figures once for all who ask meanwhile, and anew for the next', async () => {
  const figures = createFigures(test.db, test.location)
  const [first, second] = await Promise.all([figures.summary(1), figures.summary(2)])
  expect(second).toBe(first)
  await sellCards(test.db, 1)
  expect((await figures.summary(3)).cards.active).toBe(1)
})

it('starts no process where nothing has changed, for a minute', async () => {
  const figures = createFigures(test.db, test.location)
  const [summary, payouts] = [await figures.summary(1), await figures.payouts(1)]
  await reports().payoutsCsv()
  if (test.engine === 'sqlite') {
    expect(await figures.payouts(60_000)).toBe(payouts)
    const anew = await figures.summary(2)
    expect(anew).not.toBe(summary)
    expect(await figures.summary(3)).toBe(anew)
  }
  expect(await figures.payouts(60_001)).not.toBe(payouts)
  await sellCards(test.db, 1)
  expect((await figures.summary(4)).cards.active).toBe(1)
})

it('reads the figures while somebody else writes, however long', async () => {
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = (await test.another()).transaction(async trx => {
    await trx.insertInto('sightings').values({ name: 'a long one', at: 1 }).execute()
    begin()
    await written
  })
  await begun
  expect((await createFigures(test.db, test.location).summary(1)).cards.active).toBe(0)
  write()
  await writing
})

it('hears of a problem of the database as of one of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aside-'))
  const program = join(folder, 'child.mjs')
  const problem = { problem: 'temporarily-unavailable', details: { retryAfterSeconds: 5 } }
  writeFileSync(program, `process.send(${JSON.stringify(problem)}, () => process.disconnect())`)
  await expect(askWorker('summary', test.location, 0, { program })).rejects.toMatchObject({
    name: 'Problem',
    code: 'temporarily-unavailable',
    details: { retryAfterSeconds: 5 },
  })
  rmSync(folder, { recursive: true })
})

it('counts disputed cards of both kinds', async () => {
  await sellCards(test.db, 2)
  await test.db.transaction(trx => inviteFor(trx))
  for (const table of ['cards', 'volunteering_cards'])
    await test.plant(
      `update ${table} set status = 'frozen'`,
      `insert into card_holds (card_id, reason, created_at) select id, 'dispute', 1 from ${table}`,
    )
  expect((await reports().summary()).disputed).toBe(3)
})

it('tells of visitors what they allowed to be counted, of the last thirty days', async () => {
  const told = readAudience.response.parse(await reports().audience())
  expect(told).toMatchObject({ since: CREATED_AT - 30 * 86_400_000, visits: [], vitals: [] })
})

it('writes down that the payouts left the house, for good', async () => {
  expect(await reports().payoutsCsv()).toContain('payout,organisation')
  const rows = await test.db.read(db => db.selectFrom('audit_log').select(['actor', 'action']).execute())
  expect(rows).toEqual([{ actor: 'interface', action: 'payout csv' }])
  const deleting = test.db.transaction(trx => trx.deleteFrom('audit_log').execute())
  await expect(deleting).rejects.toThrow('append-only')
})

it('knows a review by its year', () => {
  expect(isReviewDue('2026-01-15', Date.parse('2027-01-16T00:00:00Z'))).toBe(false)
  expect(isReviewDue('2026-01-15', Date.parse('2027-01-17T00:00:00Z'))).toBe(true)
})
