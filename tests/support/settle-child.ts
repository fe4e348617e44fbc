/**
 * A server process that settles one payment, for tests of killed processes. Reads one JSON line (`SettleWork`). Before its
 * nth statement, or commit, it says `halted` and does nothing more, so that it can be killed there; otherwise it says `done`.
 */
import { createInterface } from 'node:readline'
import { DEFAULT_MARKET, perMarket } from '#domain/market.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createOffers } from '#server/modules/offers/offers.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { type Location, openDatabase } from '#server/platform/db/database.ts'
import { anyTheme } from '#tests/builders/server.ts'
import { diesAt } from './crash-points.ts'
import { clientOf } from './provider-client.ts'

export interface SettleWork {
  readonly location: Location
  readonly secret: string
  readonly sessionId: string
  /** What the provider answers when it is asked for the session. */
  readonly session: string
  /** Epoch ms UTC. */
  readonly now: number
  /** At which step it halts, counted from 1. */
  readonly haltsAt: number
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value } = await lines.next()
const { location, secret, sessionId, session, now, haltsAt } = JSON.parse(value as string) as SettleWork
const halt = () => {
  process.stdout.write('halted\n')
  // Holds the thread: nothing runs any more until the process is killed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
const opened = await openDatabase(location)
const db = diesAt(haltsAt, halt).over(opened)
const clock = () => now
const log = { info() {}, error() {} }
const payments = createPayments({
  db,
  clock,
  log,
  keys: createCardKeys(secret),
  stripe: clientOf(async () => new Response(session, { headers: { 'content-type': 'application/json' } })),
  webhookSecret: '',
  siteUrl: 'https://cards.example',
  terms: { async accept() {} },
  themes: anyTheme,
  offers: createOffers({
    db,
    clock,
    log,
    content: () => ({ offer: firstOffer(), markets: perMarket(() => DEFAULT_MARKET) }),
  }),
})
await payments.settle(sessionId).catch(() => {})
process.stdout.write('done\n')
await opened.close()
process.exit(0)
