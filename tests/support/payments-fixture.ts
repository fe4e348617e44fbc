import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { DEFAULT_MARKET, type Markets, perMarket } from '#domain/market.ts'
import type { Offer } from '#domain/pricing/offer.ts'
import { INAUGURATION_PACKAGE } from '#domain/volunteering/package.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Cards } from '#server/modules/gifts/interface.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { createOffers } from '#server/modules/offers/offers.ts'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import type { StartDonation } from '#server/modules/payments/interface.ts'
import { createPayments, type PaymentsWithJobs } from '#server/modules/payments/payments.ts'
import type { Log } from '#server/platform/log.ts'
import {
  createPaymentsDouble,
  type PaymentsDouble,
  type PaymentsDoubleOptions,
} from '#stand-ins/payments-double/index.ts'
import { anyTheme, TEST_TERMS } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'
import { clientOf, type Fetch, FIXTURE_SECRET } from '#tests/support/provider-client.ts'

export { clientOf, type Fetch } from '#tests/support/provider-client.ts'

export const SITE = 'https://cards.example'
export const WEBHOOK_SECRET = 'whsec_of_these_tests'
const EMAIL = 'buyer@mail.example'
export const NGOS = ['cerf', 'msf', 'unicef'] as const

/** Test cards of the double, by what becomes of them. */
export const CARD = {
  good: '4242424242424242',
  spanish: '4000007240000007',
  british: '4000008260000000',
  declined: '4000000000000002',
  disputed: '4000000000000259',
  notReceived: '4000000000002685',
  slowRefund: '4000000000007726',
  failingRefund: '4000000000005126',
  slowDebit: 'AT611904300234573201',
  failingDebit: 'AT861904300235473202',
} as const

/** An event as it went over the line. */
export interface Delivered {
  readonly body: string
  readonly signature: string
}

/** Payments with their own database, provider and clock. Nothing in it waits for real time. */
export interface PaymentsFixture {
  readonly test: TestDatabase
  readonly clock: FakeClock
  readonly deps: PaymentsDependencies
  readonly payments: PaymentsWithJobs
  readonly cards: Cards
  readonly double: PaymentsDouble
  /** The provider's API with the account's key, as the operator's dashboard uses it. */
  readonly stripe: Stripe
  /** What is published: another one from the next request on. */
  offer: Offer
  markets: Markets
  /** What the operator is alarmed about, by event. */
  readonly alarms: string[]
  /** Every line of the log as text. */
  readonly logged: string[]
  /** Requests to the provider that came from the payments, `POST /v1/checkout/sessions`. */
  readonly asked: string[]
  /** Puts something between the payments and the provider. */
  between(wrap: (request: Request, next: Fetch) => Promise<Response>): void
  /** Opens a payment. */
  start(changes?: Partial<StartDonation>): Promise<Opened>
  /** The buyer fills the provider's page in. */
  pay(sessionId: string, card?: string): Promise<void>
  /** Start and pay; the events wait. */
  buy(changes?: Partial<StartDonation>, card?: string): Promise<Opened>
  /** Buys an invitation whose day is decided later. */
  buyInvitation(): Promise<Opened>
  /** Gives the newest payment back, whole or these cents of it, as the operator's dashboard does. */
  refund(amount?: number): Promise<void>
  /** The buyer's bank disputes these cents of the newest payment. */
  disputePart(amount: number): Promise<void>
  /** Ends the dispute of a charge, without one that of the newest payment. @throws when there is none, or the provider refuses */
  decideDispute(end: 'won' | 'lost', charge?: string): Promise<void>
  /** Everything that the provider would send by now, not yet received. */
  collectEvents(): Promise<Delivered[]>
  /** Does what is due at the provider and receives its events, in order. */
  deliver(): Promise<void>
  /** Every row that matters for comparing end states. */
  counts(): Promise<Readonly<Record<'paid' | 'cards' | 'sales' | 'mails', number>>>
  findings(): Promise<unknown>
  close(): Promise<void>
}

export interface Opened {
  readonly url: string
  readonly sessionId: string
}

export const aStart: StartDonation = {
  packageId: 'their water',
  ngoAmount: 5_000,
  supportAmount: 1_500,
  currency: 'EUR',
  themeId: 'ukraine',
  sender: { kind: 'own', name: 'Aina' },
  language: 'es',
  termsVersion: TEST_TERMS,
  fulfilmentConsent: true,
}

/** @param provider the account's bank accounts, where they are not of all currencies */
export async function openPaymentsFixture(
  provider: Pick<PaymentsDoubleOptions, 'settles'> = {},
): Promise<PaymentsFixture> {
  const test = await openTestDatabase()
  const clock = fakeClock()
  const folder = mkdtempSync(join(tmpdir(), 'gc-provider-'))
  const outbox: Delivered[] = []
  const double = createPaymentsDouble({
    ...provider,
    dataDir: folder,
    siteUrl: SITE,
    webhookUrl: () => `${SITE}/api/stripe/webhook`,
    webhookSecret: WEBHOOK_SECRET,
    clock,
    async deliver(_, init) {
      const signature = new Headers(init.headers).get('stripe-signature')!
      outbox.push({ body: init.body as string, signature })
      return new Response(null, { status: 204 })
    },
  })
  const asked: string[] = []
  let wrap: ((request: Request, next: Fetch) => Promise<Response>) | undefined
  const ask: Fetch = request => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    const next: Fetch = each => double.fetch(each)
    return wrap ? wrap(request, next) : next(request)
  }
  const alarms: string[] = []
  const logged: string[] = []
  const log: Log = {
    info: (event, facts) => void logged.push(JSON.stringify([event, facts])),
    error(event, error, facts) {
      alarms.push(event)
      logged.push(JSON.stringify([event, String(error), facts]))
    },
  }
  const keys = createCardKeys(FIXTURE_SECRET)
  const deps: PaymentsDependencies = {
    db: test.db,
    clock,
    stripe: clientOf(ask),
    webhookSecret: WEBHOOK_SECRET,
    keys,
    siteUrl: SITE,
    log,
    // Which terms may be accepted has tests of its own; these are kept in every database of a test.
    terms: { async accept() {} },
    listedNgoIds: () => NGOS,
    identityFrom: currency => fixture.markets[currency].identityFrom,
    themes: anyTheme,
    offers: createOffers({
      db: test.db,
      clock,
      log,
      content: () => ({ offer: fixture.offer, markets: fixture.markets }),
    }),
  }
  const payments = createPayments(deps)
  const newestCharge = async () => (await fixture.stripe.charges.list({ limit: 1 })).data[0]!.id

  const fixture: PaymentsFixture = {
    markets: perMarket(() => DEFAULT_MARKET),
    test,
    clock,
    deps,
    payments,
    cards: createCards({ db: test.db, keys, clock, listedNgoIds: () => NGOS }),
    double,
    offer: firstOffer(),
    stripe: clientOf(request => double.fetch(request)),
    alarms,
    logged,
    asked,
    between(next) {
      wrap = next
    },
    async start(changes = {}) {
      const { url } = await payments.startDonation({ ...aStart, ...changes })
      return { url, sessionId: url.slice(url.lastIndexOf('/') + 1) }
    },
    async pay(sessionId, card = CARD.good) {
      const form = new URLSearchParams({ card_number: card, expiry: '12/34', cvc: '123', email: EMAIL })
      await double.fetch(new Request(`${SITE}/c/pay/${sessionId}`, { method: 'POST', body: form }))
    },
    async buy(changes, card) {
      const opened = await fixture.start(changes)
      await fixture.pay(opened.sessionId, card)
      return opened
    },
    async buyInvitation() {
      const { url } = await fixture.payments.startVolunteering({
        ...aStart,
        packageId: INAUGURATION_PACKAGE.packageId,
        price: INAUGURATION_PACKAGE.ngoAmount,
        supportAmount: 0,
        mission: { kind: 'decide-later' },
      })
      const sessionId = url.slice(url.lastIndexOf('/') + 1)
      await fixture.pay(sessionId)
      return { url, sessionId }
    },
    async refund(amount) {
      await fixture.stripe.refunds.create({ charge: await newestCharge(), ...(amount && { amount }) })
    },
    async disputePart(amount) {
      fixture.double.disputePart(await newestCharge(), amount)
    },
    async decideDispute(end, charge) {
      const of = charge ?? (await newestCharge())
      const { id } = (await fixture.stripe.disputes.list({ charge: of, limit: 1 })).data[0]!
      if (end === 'lost') return void (await fixture.stripe.disputes.close(id))
      await fixture.stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } })
    },
    async collectEvents() {
      await double.runDue()
      return outbox.splice(0)
    },
    async deliver() {
      for (const { body, signature } of await fixture.collectEvents())
        await payments.receiveEvent(body, signature)
    },
    counts: () => countsOf(test),
    findings: () => checkLedger(test.db, { keys }),
    async close() {
      double.close()
      await test.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return fixture
}

function countsOf({ db }: TestDatabase) {
  return db.read(async reader => {
    const count = async (query: PromiseLike<readonly unknown[]>) => (await query).length
    return {
      paid: await count(reader.selectFrom('orders').select('id').where('status', '=', 'paid').execute()),
      cards: await count(reader.selectFrom('cards').select('id').execute()),
      sales: await count(
        reader
          .selectFrom('ledger_entries')
          .select('id')
          .where('cause', '=', 'sale')
          .where('account', '=', 'payments')
          .execute(),
      ),
      mails: await count(reader.selectFrom('jobs').select('id').where('kind', '=', 'confirmation').execute()),
    }
  })
}
