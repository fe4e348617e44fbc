import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { ledgerCheck, type WatchTools, watch } from '#server/app/schedule/watch.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { withdrawAdvice } from '#server/modules/payouts/advices/advices.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Turn } from '#server/platform/job-runner/job.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { jobRecords } from '#server/platform/job-runner/lease.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import {
  anOrder,
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  sellCard,
  sellCards,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const turn: Turn = { goOn: async () => {} }

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

async function alarmsOf(changes: Partial<WatchTools> = {}) {
  const log = quietLog()
  await watch({
    db: test.db,
    clock,
    log,
    campaigns: () => [],
    isReviewDue: () => false,
    expectsBackups: true,
    ...changes,
  }).run(turn)
  return log.events
}

/** Looks once. @returns every alarm, with its facts */
async function toldNow(): Promise<readonly unknown[]> {
  const told: unknown[] = []
  await alarmsOf({ log: { info() {}, error: (event, _, facts) => void told.push([event, facts]) } })
  return told
}

/** Looks whose alarms become mails. */
function telling() {
  const told: Record<string, unknown>[] = []
  const { log } = createAlarms({
    db: test.db,
    clock,
    log: { ...quietLog(), error: (event, _, facts) => void told.push({ event, ...facts }) },
    to: 'me@gift.example',
    transport: { async send() {}, close() {} },
    mailFrom: 'gifts@gift.example',
    siteUrl: 'https://gift.example',
  })
  const queued = async (keys = 'alarm:%') => {
    const of = (db: Reader) => db.selectFrom('jobs').select('id').where('dedupe_key', 'like', keys).execute()
    return (await test.db.read(of)).length
  }
  return { told, look: () => alarmsOf({ log }), queued }
}

/** Looks twice, the second time with the mail of the first alarm queued. @returns every alarm, with its facts */
async function toldOnce(): Promise<readonly unknown[]> {
  const { told, look, queued } = telling()
  await look()
  await expect.poll(() => queued()).toBe(1)
  await look()
  return told
}

it('says nothing while all is well', async () => {
  await sellCards(test.db, 2)
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  clock.advance(2 * HOUR_MS)
  expect(await alarmsOf()).toEqual([])
})

it('tells of backups that are not made, from two days after the site began, where there have to be any', async () => {
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock.advance(48 * HOUR_MS - 1)
  expect(await alarmsOf()).toEqual([])
  clock.advance(1)
  expect(await alarmsOf()).toEqual(['backup-overdue'])
  expect(await alarmsOf({ expectsBackups: false })).toEqual([])
  await audit(test.db, { actor: 'terminal', action: 'backup', outcome: 'refused' }, clock())
  expect(await alarmsOf()).toEqual(['backup-overdue'])
  await audit(test.db, { actor: 'terminal', action: 'backup', outcome: 'done' }, clock())
  expect(await alarmsOf()).toEqual([])
  clock.advance(48 * HOUR_MS)
  expect(await alarmsOf()).toEqual(['backup-overdue'])
})

it('tells of mails that do not get through after three tries', async () => {
  const job = (id: string, attempts: number) =>
    `insert into jobs (id, kind, payload, dedupe_key, run_at, attempts, failed_reason, created_at)
      values ('${id}', 'confirmation', '{}', '${id}', 1, ${attempts}, 'smtp-ESOCKET', 1)`
  await test.plant(job('a', 2))
  expect(await alarmsOf()).toEqual([])
  await test.plant(job('b', 3))
  expect(await alarmsOf()).toEqual(['mail-failing'])
})

it('tells of payments without events', async () => {
  await sellCards(test.db, 1)
  clock.advance(HOUR_MS)
  expect(await alarmsOf()).toEqual([])
  clock.advance(1)
  expect(await alarmsOf()).toEqual(['webhook-silent'])
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  expect(await alarmsOf()).toEqual([])
})

it('tells of a mail that was given up once, through the alarm, and names its card', async () => {
  const [gift] = await sellCards(test.db, 1)
  const free = await test.db.transaction(giveFreeCard)
  const invitation = await test.db.transaction(trx => inviteFor(trx))
  const job = (id: string, subject: string, kind: string, reason: string | null, doneAt: number | null) =>
    `insert into jobs (id, kind, payload, dedupe_key, subject, run_at, attempts, done_at, failed_reason, created_at)
      values ('${id}', '${kind}', '{}', '${id}', '${subject}', 1, 1, ${doneAt}, ${reason && `'${reason}'`}, 1)`
  await test.plant(
    job('a', gift!.cardId, 'confirmation', 'smtp-550', CREATED_AT),
    job('b', free.cardId, 'confirmation', 'smtp-550', CREATED_AT),
    job('c', invitation.cardId, 'volunteering-confirmation', 'invalid-address', CREATED_AT),
    // Sent, still tried, sent later after all, of a card that was given back, and about no card.
    job('d', gift!.cardId, 'reminder', null, CREATED_AT),
    job('e', gift!.cardId, 'auto-donated', 'smtp-450', null),
    job('f', invitation.cardId, 'volunteering-answer', 'smtp-550', CREATED_AT),
    job('g', invitation.cardId, 'volunteering-answer', null, CREATED_AT + 1),
    job('h', free.cardId, 'reminder', 'card-not-found', CREATED_AT),
    job('i', 'a pseudonym', 'lost-links', 'smtp-550', CREATED_AT),
  )
  const sent: Message[] = []
  const plain = quietLog()
  const alarms = createAlarms({
    db: test.db,
    clock,
    log: plain,
    to: 'me@gift.example',
    transport: { send: async message => void sent.push(message), close() {} },
    mailFrom: 'gifts@gift.example',
    siteUrl: 'https://gift.example',
  })
  const worker = createWorker({ db: test.db, clock, log: plain, handlers: { alarm: alarms.handler } })
  const queued = async () =>
    (await test.db.read(db => db.selectFrom('jobs').select('id').where('kind', '=', 'alarm').execute()))
      .length
  expect(await alarmsOf({ log: alarms.log })).toEqual([])
  await expect.poll(queued).toBe(3)
  await worker.runDue()
  expect(sent.map(({ subject }) => subject).sort()).toEqual(
    [gift!.cardId, free.cardId, invitation.cardId]
      .map(id => `gift.example: A mail did not arrive, card ${id}`)
      .sort(),
  )
  expect(sent.map(({ text }) => text).join()).toContain('smtp-550')
  const told = () => plain.events.filter(event => event === 'mail-given-up')
  expect(told()).toHaveLength(3)
  clock.advance(48 * HOUR_MS)
  await alarmsOf({ log: alarms.log })
  expect(told()).toHaveLength(3)
  // Two days without a word of the provider are told of too.
  await expect.poll(queued).toBe(4)
})

it('tells once of a warning to an organisation that was given up, and of none that went out', async () => {
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  const typed = {
    legalName: 'Fundació',
    contact: 'money@msf.example',
    language: 'en',
    iban: 'ES9121000418450200051332',
  } as const
  for (const ngoId of ['msf', 'cerf']) {
    await proposePayee(test.db, testKeys, { ...typed, ngoId }, clock())
    await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
    await proposePayee(test.db, testKeys, { ...typed, ngoId, iban: 'DE89370400440532013000' }, clock())
  }
  expect(await alarmsOf()).toEqual([])
  const about = (ngoId: string) =>
    `kind = 'payee-change' and subject = (select id from payee_accounts where ngo_id = '${ngoId}' and state = 'proposed')`
  await test.plant(
    `update jobs set done_at = ${clock()}, failed_reason = 'smtp-550' where ${about('msf')}`,
    `update jobs set done_at = ${clock()} where ${about('cerf')}`,
  )
  const told = await toldOnce()
  expect(told).toEqual([
    {
      event: 'payee-warning-given-up',
      organisation: 'msf',
      reason: 'smtp-550',
      mail: expect.any(String),
    },
  ])
})

it.each(['cards', 'volunteering_cards'])('tells of disputes in %s as long as they are open', async table => {
  await sellCards(test.db, 1)
  await test.db.transaction(trx => inviteFor(trx))
  await test.plant(
    `update ${table} set status = 'frozen'`,
    `insert into card_holds select id, 'dispute', 1 from ${table}`,
  )
  expect(await alarmsOf()).toEqual(['payment-disputed'])
  // Of what was used, or given back, the bank can take the same amount again.
  for (const status of table === 'cards' ? ['consumed', 'revoked'] : ['revoked']) {
    await test.plant(`update ${table} set status = '${status}'`)
    expect(await alarmsOf()).toEqual(['payment-disputed'])
  }
  await test.plant('delete from card_holds')
  expect(await alarmsOf()).toEqual([])
})

it.each(['cards', 'volunteering_cards'])(
  'tells of a refund in %s of which nothing was heard for an hour, until its hold is over',
  async table => {
    await sellCards(test.db, 1)
    await test.db.transaction(trx => inviteFor(trx))
    await test.plant(
      `update ${table} set status = 'frozen'`,
      `insert into card_holds select id, 'refund', ${clock() - HOUR_MS + 1} from ${table}`,
    )
    expect(await alarmsOf()).toEqual([])
    clock.advance(1)
    for (let run = 0; run < 2; run++) expect(await alarmsOf()).toEqual(['refund-unanswered'])
    // What the operator holds is no refund that waits.
    await test.plant(`update card_holds set reason = 'operator'`)
    expect(await alarmsOf()).toEqual([])
  },
)

it('tells of every refund of which nothing was heard each day, however many there are', async () => {
  await sellCards(test.db, 12)
  await test.plant(`insert into card_holds select id, 'refund', ${clock() - HOUR_MS} from cards`)
  const { told, look, queued } = telling()
  const unanswered = () => told.filter(({ event }) => event === 'refund-unanswered')
  for (const day of [1, 2]) {
    for (const so of [10, 12]) {
      await look()
      expect(unanswered()).toHaveLength((day - 1) * 12 + so)
      await expect.poll(() => queued('alarm:refund-unanswered:%')).toBe(unanswered().length)
    }
    expect(new Set(unanswered().map(({ card }) => card)).size).toBe(12)
    clock.advance(DAY_MS)
  }
})

it('tells of a refund of which nothing was heard, though it was noted by a clock that was ahead', async () => {
  await sellCards(test.db, 1)
  await test.plant(`insert into card_holds select id, 'refund', ${clock() + 400 * DAY_MS} from cards`)
  expect(await alarmsOf()).toEqual(['refund-unanswered'])
})

it('tells of each dispute that waits for an answer, and once more when its last day is near', async () => {
  const [card] = await sellCards(test.db, 1)
  const of = {
    order_id: card!.orderId,
    amount: 5500,
    currency: 'EUR',
    opened_at: clock(),
    updated_at: clock(),
  }
  const kept = [
    { id: 'du_1', state: 'to-answer', answer_by: clock() + 7 * DAY_MS },
    { id: 'du_2', state: 'to-answer', answer_by: null },
    { id: 'du_3', state: 'with-bank', answer_by: clock() + 7 * DAY_MS },
    { id: 'du_4', state: 'won', answer_by: null },
  ] as const
  await test.plant(`insert into card_holds values ('${card!.cardId}', 'dispute', 1)`)
  await test.db.transaction(trx =>
    trx
      .insertInto('disputes')
      .values(kept.map(each => ({ ...of, ...each })))
      .execute(),
  )
  // The hold has its dispute, so nothing is told of it a second time.
  expect(await alarmsOf()).toEqual(['dispute-to-answer', 'dispute-to-answer'])
  const facts: unknown[] = []
  await alarmsOf({ log: { info() {}, error: (_, __, each) => void facts.push(each) } })
  expect(facts).toContainEqual({
    dispute: 'du_1',
    order: card!.orderId,
    amount: 5500,
    currency: 'EUR',
    until: dayInMadrid(clock() + 7 * DAY_MS),
  })
  clock.advance(4 * DAY_MS)
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${clock()})`)
  expect(await alarmsOf()).toEqual(['dispute-to-answer', 'dispute-deadline-near', 'dispute-to-answer'])
  await test.plant(`update disputes set state = 'with-bank'`)
  expect(await alarmsOf()).toEqual([])
})

it('tells once of a mail about a payout that was given up, with its amount, and not once its link was ended', async () => {
  for (const ngoId of ['msf', 'cerf']) {
    const card = await test.db.transaction(trx => sellCard(trx))
    const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => [ngoId] })
    await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
    const typed = { ngoId, legalName: ngoId, language: 'en', iban: 'ES9121000418450200051332' } as const
    await proposePayee(test.db, testKeys, { ...typed, contact: `${ngoId}@example.org` }, clock())
    await confirmPayee(test.db, testKeys, { ngoId, who: 'Aina', how: 'phone' }, clock())
    const { id } = await createPayout(test.db, { ngoId, currency: 'EUR' }, clock())
    await markPaid(test.db, { id, reference: 'SEPA 1' }, clock(), testKeys)
    if (ngoId === 'cerf') await withdrawAdvice(test.db, id, clock())
  }
  await test.plant(
    `update jobs set done_at = ${clock()}, failed_reason = 'smtp-550' where kind = 'payout-advice'`,
  )
  const told = await toldOnce()
  const facts = { organisation: 'msf', amount: 5000, currency: 'EUR', reason: 'smtp-550' }
  expect(told).toEqual([
    { event: 'payout-advice-given-up', ...facts, mail: expect.any(String), payout: expect.any(String) },
  ])
})

it('tells when far fewer orders are paid than in the week before', async () => {
  await test.db.transaction(async trx => {
    const add = (status: 'expired' | 'open', created_at: number) =>
      trx.insertInto('orders').values(anOrder({ status, created_at })).execute()
    for (let n = 0; n < 10; n++) await add('expired', CREATED_AT + 48 * HOUR_MS)
  })
  await sellCards(test.db, 20)
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  clock.advance(50 * HOUR_MS)
  expect(await alarmsOf()).toEqual(['payment-failures-rising'])
  clock.advance(-30 * HOUR_MS)
  expect(await alarmsOf()).toEqual([])
})

/** Orders that wait for a payment, or for which nobody paid. */
type Unpaid = 'open' | 'expired'
const addOrders = (count: number, created_at: number, status: Unpaid | 'paid'): Promise<string[]> =>
  test.db.transaction(async trx => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      if (status === 'paid') {
        ids.push((await sellCard(trx, { created_at })).orderId)
        continue
      }
      const order = anOrder({ status, created_at })
      await trx.insertInto('orders').values(order).execute()
      ids.push(order.id)
    }
    return ids
  })
let invoiceNumbers = 0
const byInvoice = (ids: readonly string[], state: 'open' | 'paid' | 'cancelled') =>
  test.plant(
    ...ids.map(
      id => `insert into invoices (order_id, year, number, state, currency, amount, paid_on, name, document, address,
        created_at, changed_at, seal) values ('${id}', 2026, ${++invoiceNumbers}, '${state}', 'EUR', 5500,
        ${state === 'paid' ? "'2026-03-12'" : 'null'}, 'A school', '', 'A street', 1, 1, 'x')`,
    ),
  )
const byPartner = (ids: readonly string[], partner: string) =>
  test.plant(
    `insert into partners (id, name, scopes, seal, created_at, revoked_at)
      values ('${partner}', '${partner} & Co', 'orders:create', 'x', 1, 1) on conflict do nothing`,
    ...ids.map(
      id => `insert into partner_orders (order_id, partner_id, created_at)
        select '${id}', '${partner}', created_at from orders where id = '${id}'`,
    ),
  )
const A_DAY = CREATED_AT + 48 * HOUR_MS
/** What is told at the end of that day. */
const seenAfter = async () => {
  await test.plant(`insert into sightings (name, at) values ('payment-event', ${CREATED_AT})`)
  clock.advance(50 * HOUR_MS)
  return toldNow()
}

it.each([
  ['open', 'open'],
  ['expired', 'open'],
  ['expired', 'cancelled'],
  ['paid', 'paid'],
] as const)('says nothing on a day of invoices only, all of them %s (%s)', async (status, state) => {
  await sellCards(test.db, 20)
  await byInvoice(await addOrders(20, A_DAY, status), state)
  expect(await seenAfter()).toEqual([])
})

it('is not kept from telling of payments that fail by invoices that are paid', async () => {
  await sellCards(test.db, 20)
  await addOrders(10, A_DAY, 'expired')
  await byInvoice(await addOrders(30, A_DAY, 'paid'), 'paid')
  expect(await seenAfter()).toEqual([['payment-failures-rising', { orders: 10, paid: 0 }]])
})

it('judges what a partner’s program opens by that program alone', async () => {
  await sellCards(test.db, 20)
  await addOrders(10, A_DAY, 'paid')
  // One of them pays for few of its orders, as ever; the other's fail from today on; of a third nothing is known yet.
  await byPartner(await addOrders(2, CREATED_AT, 'paid'), 'few')
  await byPartner(await addOrders(38, CREATED_AT, 'expired'), 'few')
  await byPartner(await addOrders(1, A_DAY, 'paid'), 'few')
  await byPartner(await addOrders(19, A_DAY, 'expired'), 'few')
  await byPartner(await addOrders(20, CREATED_AT, 'paid'), 'failing')
  await byPartner(await addOrders(12, A_DAY, 'open'), 'failing')
  await byPartner(await addOrders(30, A_DAY, 'open'), 'new')
  expect(await seenAfter()).toEqual([
    ['payment-failures-rising', { orders: 12, paid: 0, partner: 'failing & Co' }],
  ])
})

it('counts the newest thousand orders of a day', async () => {
  await sellCards(test.db, 20)
  await addOrders(100, A_DAY - 1, 'paid')
  await addOrders(1_000, A_DAY, 'expired')
  expect(await seenAfter()).toEqual([['payment-failures-rising', { orders: 1_000, paid: 0 }]])
})

it('counts the newest three hundred orders of each day of the week before', async () => {
  await addOrders(1_000, CREATED_AT, 'expired')
  await addOrders(300, CREATED_AT + 1, 'paid')
  await addOrders(2, A_DAY, 'paid')
  await addOrders(8, A_DAY, 'expired')
  expect(await seenAfter()).toEqual([['payment-failures-rising', { orders: 10, paid: 2 }]])
})

it('counts a thousand payments without events at most', async () => {
  await test.db.transaction(async trx => {
    for (let n = 0; n < 1_001; n++) await sellCard(trx)
  })
  clock.advance(HOUR_MS + 1)
  expect(await toldNow()).toEqual([['webhook-silent', { payments: 1_000 }]])
})

it('tells of a campaign whose last tenth is being given, and of a review that is due', async () => {
  const campaign = (active: boolean) => [{ tag: 'free-es', active, stock: 20 } as FreeCampaign]
  await test.plant(`insert into free_campaigns (tag, claimed) values ('free-es', 17)`)
  expect(await alarmsOf({ campaigns: () => campaign(true) })).toEqual([])
  await test.plant(`update free_campaigns set claimed = 18`)
  expect(await alarmsOf({ campaigns: () => campaign(true) })).toEqual(['campaign-stock-low'])
  expect(await alarmsOf({ campaigns: () => campaign(false) })).toEqual([])
  // One that gives nothing any more, or never could, and is still switched on.
  await test.plant(`update free_campaigns set claimed = 20`)
  expect(await alarmsOf({ campaigns: () => campaign(true) })).toEqual(['campaign-without-stock'])
  expect(await alarmsOf({ campaigns: () => campaign(false) })).toEqual([])
  const never = [{ tag: 'never', active: true, stock: 0 } as FreeCampaign]
  expect(await alarmsOf({ campaigns: () => never })).toEqual(['campaign-without-stock'])
  expect(await alarmsOf({ isReviewDue: () => true })).toEqual(['ngo-review-overdue'])
})

it('names the places that are still those of an example, ten of them at most', async () => {
  const told: unknown[] = []
  const log = { ...quietLog(), error: (_: string, __: unknown, facts: unknown) => void told.push(facts) }
  await alarmsOf({ log, placeholders: () => [] })
  expect(told).toEqual([])
  await alarmsOf({ log, placeholders: () => ['MAIL_FROM', ...'abcdefghijk'] })
  expect(told).toEqual([{ all: 12, fields: 'MAIL_FROM, a, b, c, d, e, f, g, h, i, …' }])
})

it('checks the ledger in a process of its own, and tells when it is not in order', async () => {
  await sellCards(test.db, 2)
  const log = quietLog()
  const check = () => ledgerCheck(log, () => askWorker('findings', test.location, 0)).run(turn)
  expect(await check()).toEqual({ findings: 0 })
  await test.plant('update cards set credit = credit + 1')
  expect(Number((await check()).findings)).toBeGreaterThan(0)
  expect(log.events).toEqual(['ledger-broken'])
})

it.each(['9007199254740993', '9223372036854775807'])(
  'tells of a number that nobody can read, in the books and in what it watches: %s',
  async value => {
    await sellCards(test.db, 2)
    await test.plant(`insert into free_campaigns (tag, claimed) values ('free-es', ${value})`)
    const log = quietLog()
    const { findings } = await ledgerCheck(log, () => askWorker('findings', test.location, 0)).run(turn)
    expect(findings).toBeGreaterThan(0)
    expect(log.events).toEqual(['ledger-broken'])
    expect(await alarmsOf({ isReviewDue: () => true })).toEqual(['watch-failing', 'ngo-review-overdue'])
  },
)

const leaseOf = async () => (await test.db.read(jobRecords)).find(({ name }) => name === 'ledger-check')

it('tells of a check that could not finish, as something of its own, and counts no findings', async () => {
  const log = quietLog()
  const job = ledgerCheck(log, () => askWorker('findings', test.location, 0, { execPath: '/nowhere/node' }))
  const jobs = createJobs({ db: test.db, clock, log, jobs: [{ ...job, firstAfterMs: 0 }] })
  await jobs.runDue()
  expect(log.events).toContain('ledger-unchecked')
  expect(log.events).not.toContain('ledger-broken')
  expect(await leaseOf()).toMatchObject({ outcome: 'failed', result: { reason: 'ENOENT', failures: 1 } })
})

it('tells nobody of a check that the server’s end has broken off', async () => {
  const program = join(mkdtempSync(join(tmpdir(), 'check-')), 'child.mjs')
  writeFileSync(program, `setInterval(() => {}, 1_000)`)
  const leaving = new AbortController()
  const begun = Promise.withResolvers<void>()
  const log = quietLog()
  const job = ledgerCheck(log, () => {
    begun.resolve()
    return askWorker('findings', test.location, 0, { program, signal: leaving.signal })
  })
  const jobs = createJobs({ db: test.db, clock, log, jobs: [{ ...job, firstAfterMs: 0 }] })
  const done = jobs.runDue()
  await begun.promise
  // As the site does it when it ends (app/compose.ts).
  leaving.abort()
  await jobs.stop()
  await done
  expect(log.events).toEqual([])
  expect(await leaseOf()).toMatchObject({ outcome: null, leaseUntil: null })
  rmSync(dirname(program), { recursive: true })
})

it('lets the process hear between two rules whether anybody waits for the ledger’s check', async () => {
  const heard: string[] = []
  const told: string[] = []
  const onRule = async (rule: string) => {
    told.push(rule)
    await nextTurn()
    heard.push(rule)
  }
  await checkLedger(test.db, { onRule })
  expect(heard).toEqual(told)
  expect(heard.length).toBeGreaterThan(5)
})

it('does not take a ledger for checked that could not be read, nor makes one where there is none', async () => {
  const dataDir = join(tmpdir(), `no-data-${randomUUID()}`)
  await expect(askWorker('findings', { dataDir }, 0)).rejects.toThrow(`There is no database in ${dataDir}.`)
  expect(existsSync(dataDir)).toBe(false)
})

it.each([
  ['with a failure', 'process.exit(3)', 'code 3'],
  ['killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
])('says how the process ended that came back without a word: %s', async (_, line, said) => {
  const program = join(mkdtempSync(join(tmpdir(), 'check-')), 'child.mjs')
  writeFileSync(program, line)
  await expect(askWorker('findings', test.location, 0, { program })).rejects.toThrow(
    `ended without a word (${said})`,
  )
  rmSync(dirname(program), { recursive: true })
})

it('ends the process that nobody waits for any more, whatever it is at', async () => {
  const program = join(mkdtempSync(join(tmpdir(), 'check-')), 'child.mjs')
  writeFileSync(program, `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000)`)
  const leaving = new AbortController()
  const check = askWorker('findings', test.location, 0, { program, signal: leaving.signal })
  leaving.abort()
  await expect(check).rejects.toThrow('ended without a word (SIGKILL)')
  rmSync(dirname(program), { recursive: true })
})

it('outlives a check whose process cannot be started', async () => {
  const log = quietLog()
  const execPath = '/nowhere/node'
  const check = ledgerCheck(log, () => askWorker('findings', test.location, 0, { execPath })).run(turn)
  await expect(check).rejects.toThrow(/ENOENT/)
  // A second failure comes when the process is spoken to; unheard, it would end this one.
  await nextTurn()
})
