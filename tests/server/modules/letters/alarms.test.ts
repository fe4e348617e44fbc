import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { createRateLimits, LIMITS } from '#server/http/pipeline/rate-limits.ts'
import { ALARMS } from '#server/modules/letters/alarm-kinds.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import { MailFailure } from '#server/modules/letters/failure.ts'
import type { Message } from '#server/modules/letters/message.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const AT = Date.parse('2026-03-10T09:59:00Z')

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let sent: Message[]
let lines: string[]
/** What the mail server says, instead of taking a mail. */
let refusal: MailFailure | undefined
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(AT)
  sent = []
  lines = []
  refusal = undefined
})
afterEach(() => test.close())

function alarmsTo(to: string) {
  const log: Log = {
    info: event => void lines.push(event),
    error: event => void lines.push(event),
  }
  const alarms = createAlarms({
    db: test.db,
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

it('reach the operator in words, with the currency, once per kind, order and hour', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const loss = (order = 'o1') =>
    log.error('payment-reversed-at-a-loss', new Error('charge ch_1'), {
      order,
      currency: 'GBP',
      paid: 6500,
      refunded: 700,
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
    'gift.example: payment-not-ours',
  ])
  const mail = sent.find(({ subject }) => subject.includes('lost'))
  expect(mail).toMatchObject({ to: 'me@gift.example', from: 'Gifts <gifts@gift.example>' })
  expect(mail?.text).toContain(ALARMS['payment-reversed-at-a-loss'].meaning)
  expect(mail?.text).toContain(
    'Of the 65.00 GBP of order o1, 7.00 GBP was given back. 7.00 GBP of it is lost to the product; the card is active.\ntime: 2026-03-10T09:59:00.000Z\n',
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
})

it('tell of an event every hour, and of a state that lasts once a day', async () => {
  const { log, work } = alarmsTo('me@gift.example')
  const told = (kind: string) => sent.filter(({ subject }) => subject.endsWith(kind)).length
  for (const [times, hours] of [0, 1, 24].entries()) {
    clock.set(AT + hours * HOUR_MS)
    log.error('ledger-broken', new Error('x'))
    log.error('payment-not-ours', new Error('x'))
    const toldOfEvents = async () => {
      await work()
      return told('payment-not-ours')
    }
    await expect.poll(toldOfEvents).toBe(times + 1)
  }
  expect(told('ledger-broken')).toBe(2)
  expect(sent.find(({ subject }) => subject.endsWith('ledger-broken'))?.text).toContain(
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
    table: { ...LIMITS, gateway: { uses: 9, perMs: 1e6, global: 2 } },
  })
  for (const who of ['a', 'b', 'c', 'd']) {
    try {
      limits.use('gateway', who)
    } catch {
      // The limit is what is looked at.
    }
  }
  await queued(1)
  await work()
  expect(sent[0]?.text).toContain('limit: gateway\n')
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
  expect(sent.map(({ subject }) => subject)).toEqual(['gift.example: ledger-broken'])
})

it('to an address that is none are given up', async () => {
  const { log, work } = alarmsTo('nobody')
  log.error('payment-not-ours', new Error('order'))
  await queued(1)
  await work()
  expect(await jobs()).toEqual([{ kind: 'alarm', failed_reason: 'invalid-address' }])
})
