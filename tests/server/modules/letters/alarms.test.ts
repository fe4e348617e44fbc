import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { createRateLimits } from '#server/http/pipeline/rate-limits.ts'
import { ALARMS, wordsOf } from '#server/modules/letters/alarm-kinds.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { createTokens } from '#server/platform/pace/tokens.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const ORDER = {
  ...{ order: 'o1', currency: 'EUR', paid: 6_500, refunded: 0, disputed: 0 },
  ...{ amount: 6_500, withdrawal: 1, card: 'active' },
}
const AT = Date.parse('2026-03-10T09:59:00Z')

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let sent: Message[]
let lines: string[]
/** What the mail server says, instead of taking a mail. */
let refusal: MailFailure | undefined
/** What nobody waits for. */
let writing: Promise<unknown>[]
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(AT)
  sent = []
  lines = []
  refusal = undefined
  writing = []
})
afterEach(() => test.close())

function alarmsTo(to: string) {
  const log: Log = {
    info: event => void lines.push(event),
    error: event => void lines.push(event),
  }
  const db: Database = {
    ...test.db,
    transaction(work) {
      const written = test.db.transaction(work)
      writing.push(written)
      return written
    },
  }
  const alarms = createAlarms({
    db,
    clock,
    log,
    to,
    transport: {
      async send(message) {
        if (refusal) throw refusal
        sent.push(message)
      },
      close() {},
    },
    mailFrom: 'Gifts <gifts@gift.example>',
    siteUrl: 'https://gift.example',
  })
  const worker = createWorker({ db: test.db, clock, log, handlers: { alarm: alarms.handler } })
  return { log: alarms.log, work: () => worker.runDue() }
}

const jobs = () => test.db.read(db => db.selectFrom('jobs').select(['kind', 'failed_reason']).execute())
const queued = async (count: number) => expect.poll(async () => (await jobs()).length).toBe(count)

it('tells of each refund of one order that comes back on a day', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const failed = (refunded: number) =>
    log.error('withdrawal-not-refunded', new Error('charge ch_1'), {
      order: 'o1',
      currency: 'EUR',
      paid: 26_000,
      refunded,
      disputed: 0,
      amount: 6_500,
      card: 'active',
    })
  failed(6_500)
  failed(0)
  failed(0)
  await queued(2)
  await work()
  expect(sent).toHaveLength(2)
})

it.each([
  ['an hour', 'books-sealed', { rows: 3 }, { rows: 2 }],
  ['a day', 'withdrawal-not-refunded', ORDER, ORDER],
  ['a week', 'invoice-refund-due', ORDER, ORDER],
] as const)('are one mail of one event that ends in the next period: %s', async (_, kind, kept, said) => {
  const { log } = alarmsTo('me@gift.example')
  // The last moment of an hour, of a day and of a week.
  clock.set(Date.parse('2026-03-12T00:00:00Z') - 1)
  const tell = async () => {
    await test.db.transaction(trx => log.queueAlarm!(trx, kind, kept))
    clock.advance(1)
    log.error(kind, new Error(kind), said)
    await Promise.all(writing)
  }
  await tell()
  expect(await jobs()).toHaveLength(1)
  // The next one is of the period that it is in.
  await tell()
  expect(await jobs()).toHaveLength(2)
})

it('are mails of their own where the event before ended in its transaction', async () => {
  const { log } = alarmsTo('me@gift.example')
  await test.db.transaction(trx => log.queueAlarm!(trx, 'books-sealed', { rows: 3 }))
  clock.advance(2 * HOUR_MS)
  log.error('books-sealed', new Error('books-sealed'), { rows: 2 })
  await Promise.all(writing)
  expect(await jobs()).toHaveLength(2)
})

it('reach the operator in words, with the currency, once per kind, order and hour', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const loss = (order = 'o1', refunded = 700) =>
    log.error('payment-reversed-at-a-loss', new Error('charge ch_1'), {
      order,
      currency: 'GBP',
      paid: 6500,
      refunded,
      disputed: 0,
      loss: 700,
      card: 'active',
    })
  loss()
  loss()
  log.error('payment-not-ours', new Error('order'), { order: null })
  await queued(2)
  await work()
  expect(sent.map(({ subject }) => subject).sort()).toEqual([
    'gift.example: 7.00 GBP lost, order o1',
    'gift.example: A payment of no order of ours',
  ])
  const mail = sent.find(({ subject }) => subject.includes('lost'))
  expect(mail).toMatchObject({ to: 'me@gift.example', from: 'Gifts <gifts@gift.example>' })
  expect(mail?.text).toContain(ALARMS['payment-reversed-at-a-loss'].meaning)
  expect(mail?.text).toContain(
    'Of the 65.00 GBP of order o1, 7.00 GBP was given back. 7.00 GBP of it is lost to the product; the card is active.\ntimeline: https://gift.example/studio/operations#find=o1\ntime: 2026-03-10T09:59:00.000Z\n',
  )
  // The error's words are the log's alone: they can quote what came from outside.
  expect(mail?.text).not.toContain('ch_1')

  clock.advance(HOUR_MS)
  loss()
  await queued(3)
  await work()
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3)

  // A second loss within the hour is of another order, and is told of as well.
  loss('o2')
  await queued(4)
  await work()
  expect(sent.at(-1)?.subject).toBe('gift.example: 7.00 GBP lost, order o2')

  // And a second one of the same order.
  loss('o2', 900)
  await queued(5)
  await work()
  expect(sent.at(-1)?.text).toContain('9.00 GBP was given back')
})

it('of one kind do not swallow each other: each campaign, each limit, each part of a payment has its mail', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  for (const campaign of ['spring', 'autumn', 'spring'])
    log.error('free-campaign-finished', new Error('x'), { campaign, stock: 3 })
  for (const campaign of ['spring', 'autumn', 'spring'])
    log.error('campaign-stock-low', new Error('x'), { campaign, left: 1, stock: 3 })
  for (const limit of ['gateway', 'free-claim', 'gateway'])
    log.error('limit-of-all-visitors-spent', new Error('x'), { limit })
  for (const taken of [500, 900, 900])
    log.error('card-reduced-by-dispute', new Error('x'), { order: 'o1', currency: 'EUR', taken, left: 1 })
  await queued(8)
  await work()
  expect(sent).toHaveLength(8)
})

/** Facts of every name that an alarm's words may ask for. */
const FACTS = {
  order: 'o1',
  card: 'c1',
  currency: 'EUR',
  paid: 6500,
  refunded: 700,
  disputed: 0,
  loss: 700,
  taken: 700,
  left: 5,
  amount: 6500,
  mail: 'm1',
  kind: 'confirmation',
  reason: 'smtp-550',
  differs: 'amount',
  limit: 'gateway',
  server: 'one',
  isAhead: true,
  campaign: 'spring',
  stock: 50,
  fields: 'contact',
  all: 2,
  findings: 2,
  first: 'sum-differs',
  work: 'reminders',
  rule: 'mailFailing',
  failures: 3,
  rows: 4,
  mails: 4,
  payments: 2,
  cards: 2,
  orders: 30,
  dispute: 'du_1',
  until: '2026-03-20',
  last: 'never',
  payment: 'pi_1',
  seconds: 12,
  generation: 3,
  segment: 40,
  host: 'gift.example',
  movement: 'txn_1',
  type: 'charge',
  category: 'charge',
  organisation: 'msf',
  payout: 'p1',
  link: 'https://msf.example',
  since: '2026-03-01',
  once: 'x',
  month: '2026-03',
  due: 1,
  late: 0,
  list: 'Pay.',
  duty: 'vat:2026-04-01',
  title: 'declare the VAT',
  says: 'Late.',
  person: 'p1',
  passkey: 'k1',
  role: 'treasurer',
  invitation: 'i1',
  from: '2026-03-11',
  witness: 'w.example',
  why: 'it did not answer',
}

it.each(Object.keys(ALARMS) as (keyof typeof ALARMS)[])(
  'of the kind %s are sentences, and lead to the timeline of the order',
  async kind => {
    const { log, work } = alarmsTo('me@gift.example')
    log.error(kind, new Error('x'), FACTS)
    await queued(1)
    await work()
    const { subject, text } = sent[0]!
    expect(subject).not.toContain(kind)
    expect(`${subject}\n${text}`).not.toMatch(/undefined|NaN|\[object/)
    const { timeline, of } = wordsOf(kind)
    // What is of an order, or of a card, leads to it; nothing is a bare list of names and values.
    if (of === 'order' || of === 'dispute') expect(timeline).toBe('order')
    if (timeline !== undefined)
      expect(text).toContain(`/studio/operations#find=${timeline === 'card' ? 'c1' : 'o1'}\n`)
    expect(text).not.toMatch(/^(currency|loss|refunded|reason|limit|findings): /m)
  },
)

it('say of each job whose clock was not believed by which command it runs again', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const jobs = ['auto-donation', 'sendings', 'public-ledger']
  for (const job of jobs) log.error('clock-not-believed', new Error('x'), { work: job })
  await queued(jobs.length)
  await work()
  expect(sent).toHaveLength(jobs.length)
  for (const job of jobs)
    expect(
      sent.some(({ text }) => text.includes(`npm run ops -- run ${job} --trust-clock`)),
      job,
    ).toBe(true)
})

it('tell of an event every hour, and of a state that lasts once a day', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const told = (kind: 'ledger-broken' | 'payment-not-ours') =>
    sent.filter(({ text }) => text.includes(ALARMS[kind].meaning)).length
  for (const [times, hours] of [0, 1, 24].entries()) {
    clock.set(AT + hours * HOUR_MS)
    log.error('ledger-broken', new Error('x'))
    log.error('payment-not-ours', new Error('x'), { order: null })
    await Promise.all(writing)
    await work()
    expect(told('payment-not-ours')).toBe(times + 1)
  }
  expect(told('ledger-broken')).toBe(2)
  expect(sent.find(({ subject }) => subject.includes('The books do not agree'))?.text).toContain(
    'one such mail per day',
  )
})

it('are written to the log as well; what is no alarm goes there alone', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  log.error('page-failed', new Error('x'))
  log.error('toString', new Error('x'))
  log.info('payment-not-ours')
  await work()
  expect(await jobs()).toEqual([])
  expect(lines).toEqual(['page-failed', 'toString', 'payment-not-ours'])
})

it('are raised when all visitors together spend a limit', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const limits = createRateLimits({
    monotonic: () => 0,
    log,
    tokensOf: (name, { perMs }) => createTokens({ db: test.db, name, uses: 2, perMs, commonUs: () => 1 }),
    sleep: () => new Promise(() => {}),
  })
  for (const who of ['a', 'b', 'c', 'd']) void limits.turn('gateway', who)
  await queued(1)
  await work()
  expect(sent[0]?.text).toContain('The limit “gateway” of all visitors together is spent.\n')
})

it('wait for as long as the operator’s mailbox refuses them, and arrive then', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  refusal = new MailFailure('smtp-550', true)
  log.error('ledger-broken', new Error('x'))
  await queued(1)
  await work()
  expect(await jobs()).toEqual([{ kind: 'alarm', failed_reason: 'smtp-550' }])
  clock.advance(40 * 24 * HOUR_MS)
  await work()
  expect(sent).toEqual([])
  refusal = undefined
  clock.advance(HOUR_MS)
  await work()
  expect(sent.map(({ subject }) => subject)).toEqual([
    'gift.example: The books do not agree: several findings',
  ])
})

it('to an address that is none are given up', async () => {
  const { log, work } = alarmsTo('nobody')
  log.error('payment-not-ours', new Error('order'))
  await queued(1)
  await work()
  expect(await jobs()).toEqual([{ kind: 'alarm', failed_reason: 'invalid-address' }])
})
