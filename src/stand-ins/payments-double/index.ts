import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CURRENCIES } from '#domain/money/currency.ts'
import { answerApi } from './api.ts'
import { arrive, catchUp, payOut, returnPayout } from './balance.ts'
import { type Bank, createBank } from './bank.ts'
import { openDispute } from './disputes.ts'
import { answerPage, PAGE_PATH } from './hosted/handle.ts'
import { settleDelayed } from './payments.ts'
import { settleRefund } from './refunds.ts'
import { expireWhenOpen } from './sessions.ts'
import { openStore } from './store.ts'
import { createDeliveries, type Deliver } from './webhooks.ts'

export { DELAYS } from './bank.ts'
export { retryDelayMs } from './webhooks.ts'

export interface PaymentsDoubleOptions {
  /** The folder of `payments-double.sqlite`; made when missing. */
  readonly dataDir: string
  /** Where the hosted page is seen; a session's url is `{siteUrl}/c/pay/{id}`. */
  readonly siteUrl: string
  /** Where events go; asked at each attempt, since the port may become known late. */
  readonly webhookUrl: () => string
  readonly webhookSecret: string
  /** Epoch milliseconds. */
  readonly clock?: () => number
  readonly deliver?: Deliver
  /** The currencies of the account's bank accounts, in lower case; all four of the product when missing. */
  readonly settles?: readonly string[]
  /** So many random bytes; ids are made of them and must not be guessable outside of tests. */
  readonly chance?: (bytes: number) => Uint8Array
}

export interface PaymentsDouble {
  /** Answers the API (`/v1/…`, any host) and the hosted page (`/c/pay/…`). */
  fetch(request: Request): Promise<Response>
  /** Whether the web front should hand this path over: the hosted page only, never the API. */
  handlesPath(pathname: string): boolean
  /** Delivers events and does what is due, a few times a second, until stopped. */
  start(): void
  /** Waits for deliveries under way. */
  stop(): Promise<void>
  /** Does everything that is due at the clock's time, once: expiry, delayed results, deliveries. */
  runDue(): Promise<void>
  /** The buyer's bank disputes a part of a charge, minor units; no test card of the provider does. */
  disputePart(chargeId: string, amount: number): void
  /** The bank sends a payout back. */
  returnPayout(payoutId: string): void
  /** Sends an event once more, as an operator would by hand. */
  resend(eventId: string): Promise<void>
  close(): void
}

const ALL_CURRENCIES = CURRENCIES.map(each => each.toLowerCase())

const TICK_MS = 300

/** What can be planned for later, by the name it has in the store. */
const TASKS: Readonly<Record<string, (bank: Bank, arg: string) => void>> = {
  'expire-session': expireWhenOpen,
  'delayed-result': settleDelayed,
  'refund-result': settleRefund,
  'open-dispute': (bank, chargeId) => openDispute(bank, chargeId),
  'pay-out': payOut,
  'payout-arrived': arrive,
}

/**
 * A double of the payment provider for machines without an account: the part of its API that the product uses,
 * checked against the contract of the pinned SDK, the hosted page, and signed webhooks.
 */
export function createPaymentsDouble(options: PaymentsDoubleOptions): PaymentsDouble {
  const { clock = Date.now, chance = randomBytes, deliver = fetch, ...rest } = options
  mkdirSync(rest.dataDir, { recursive: true })
  const store = openStore(join(rest.dataDir, 'payments-double.sqlite'))
  const bank = createBank({
    store,
    siteUrl: rest.siteUrl,
    settles: rest.settles ?? ALL_CURRENCIES,
    clock,
    chance,
  })
  store.transaction(() => catchUp(bank))
  const deliveries = createDeliveries({
    store,
    clock,
    deliver,
    webhookUrl: rest.webhookUrl,
    webhookSecret: rest.webhookSecret,
  })
  let timer: ReturnType<typeof setInterval> | undefined
  let ticking: Promise<void> | undefined

  /** Each task and what it causes in one transaction, so that none is done twice or lost. */
  const doLater = () => {
    const doOne = () =>
      store.transaction(() => {
        const task = store.takeLater(clock())
        if (task) TASKS[task.what]!(bank, task.arg)
        return task !== undefined
      })
    while (doOne());
  }

  const runDue = async () => {
    do doLater()
    while ((await deliveries.deliverDue()) > 0)
  }

  const tick = () => {
    ticking ??= runDue()
      .catch(error => console.error('payments double:', error))
      .finally(() => {
        ticking = undefined
      })
    return ticking
  }

  return {
    async fetch(request) {
      // What is due by now has happened, whether or not a timer runs.
      doLater()
      const { pathname } = new URL(request.url)
      if (!pathname.startsWith(PAGE_PATH)) return answerApi(bank, clock, request)
      // Only a double that delivers by itself has something to wait for.
      return answerPage(bank, request, async () => void (timer && (await deliveries.deliverDue())))
    },
    handlesPath: pathname => pathname.startsWith(PAGE_PATH),
    start() {
      timer ??= setInterval(tick, TICK_MS)
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await ticking
      await deliveries.idle()
    },
    runDue,
    disputePart: (chargeId, amount) => store.transaction(() => openDispute(bank, chargeId, amount)),
    returnPayout: payoutId => store.transaction(() => returnPayout(bank, payoutId)),
    async resend(eventId) {
      store.queueDelivery(eventId, clock())
      await runDue()
    },
    close: () => store.close(),
  }
}
