import type { Insertable, Selectable } from 'kysely'
import type { GiftRow } from '#domain/card/gift-rows.ts'
import type { CardTerm } from '#domain/card/term.ts'
import type { DonorIdentity } from '#domain/donor/identity.ts'
import { INVOICE_FIELDS, type InvoiceTo, invoiceDueAt } from '#domain/invoice/invoice.ts'
import type { Language } from '#domain/languages.ts'
import { asksForFulfilmentConsent } from '#domain/legal/fulfilment-consent.ts'
import type { Currency } from '#domain/money/currency.ts'
import { hundredths } from '#domain/money/tax.ts'
import { FIRST_ORDER_STATE, orderStatesOf } from '#domain/payment/order-states.ts'
import { Problem } from '#domain/problems.ts'
import type { Selection } from '#domain/redemption/split.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import { getT } from '#i18n/index.ts'
import { type KeptTerm, keptTerm } from '#server/modules/gifts/cards/kept-term.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Quoted } from '#server/modules/offers/offers.ts'
import type {
  StartDonation,
  StartInvoice,
  StartOwnMoney,
  StartVolunteering,
} from '#server/modules/payments/interface.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'
import { digestOf } from './digests.ts'
import { moveOrder, moveOrders } from './move-orders.ts'
import { sealParts } from './own-money.ts'
import type { OfPartner } from './partner-orders.ts'

export type Order = Selectable<OrdersTable>

/**
 * How long a buyer may take to pay. The provider allows 24 h by its own clock. One hour is kept back, since our clock
 * may be wrong or the first answer may be lost.
 */
export const PAYABLE_MS = 23 * 3_600_000

/** The provider refuses a session that would expire sooner than 30 min from its own clock. */
const SHORTEST_PAYABLE_MS = 31 * 60_000

/** An attempt to buy, before anything is priced: what tells it from others, and the row that it becomes. */
export interface NewOrder {
  /** The digest of the press's idempotency key; null without a key. */
  readonly attemptDigest: string | null
  /** Of the choices: it tells a repeated press from another purchase under the same key. */
  readonly requestDigest: string
  readonly termsVersion: string
  readonly kind: GiftKind
  /** As it was typed; kept where the market asks for it. */
  readonly donor: DonorIdentity | null
  /** To whoever gets the gift. */
  readonly message: string | null
  /** What the giver says of each of many cards. */
  readonly rows: readonly GiftRow[]
  /** Whose program asks; undefined for a buyer's browser. */
  readonly partner?: OfPartner | undefined
  /** Whom the invoice is made out to that pays it; undefined for a payment at the provider. */
  readonly invoice?: InvoiceTo | undefined
  /** Amounts are the quote's; nothing of the browser's is believed. */
  readonly row: (quoted: Quoted, now: number) => Insertable<OrdersTable>
  /** Takes the place of an unpaid order of the same press. */
  readonly replacesUnpaid?: boolean | undefined
}

/**
 * Does an order of this press stand for what is asked now? A browser's also for the same terms: an order says which ones its
 * buyer agreed to last.
 */
export const isAsked = (order: Order, { requestDigest, termsVersion, partner, invoice }: NewOrder): boolean =>
  order.request_digest === requestDigest &&
  (partner !== undefined || invoice !== undefined || order.terms_version === termsVersion)

/** The row of an order of a gift card. `term` is what the market gives its cards today. */
export function newOrder(
  input: StartDonation & { readonly partner?: OfPartner },
  term: CardTerm,
  keys: CardKeys,
): NewOrder {
  const { packageId, ngoAmount, supportAmount, currency, themeId, sender, language } = input
  const fallback = input.fallbackNgoId ?? null
  const asked = [packageId, ngoAmount, supportAmount, currency, themeId, nameOf(sender), language]
  const { cards: count = 1, rows = [], partner } = input
  const digested = [
    ...withLater(asked, fallback, input),
    ...(count === 1 ? [] : [ofMany(count, rows)]),
    ...(partner ? [{ partner: partner.id, reference: partner.reference }] : []),
  ]
  return attemptToBuy(
    input,
    { kind: 'donation', mission: null, fallback_ngo_id: fallback, card_count: count, ...keptTerm(term) },
    keys.keyedDigest(JSON.stringify(digested)),
    rows,
  )
}

/** The same for many cards that are paid by invoice. The order can be paid for longer. */
export function newInvoicedOrder(input: StartInvoice, term: CardTerm, keys: CardKeys): NewOrder {
  const { invoice } = input
  const order = newOrder(input, term, keys)
  const requestDigest = keys.keyedDigest(
    JSON.stringify([order.requestDigest, ...INVOICE_FIELDS.map(field => invoice[field])]),
  )
  return {
    ...order,
    requestDigest,
    invoice,
    row: (quoted, now) => ({
      ...order.row(quoted, now),
      request_digest: requestDigest,
      expires_at: invoiceDueAt(now),
    }),
  }
}

/** The row of an order of own money, which says to whom it goes. */
export function newOwnMoneyOrder(input: StartOwnMoney, term: CardTerm, keys: CardKeys): NewOrder {
  const { parts, ...choice } = input
  const order = newOrder({ ...choice, sender: { kind: 'anonymous' } }, term, keys)
  const asked = [order.requestDigest, ...ofParts(parts)]
  const requestDigest = keys.keyedDigest(JSON.stringify(asked))
  const { language } = input
  return {
    ...order,
    requestDigest,
    row: (quoted, now) => {
      const row = order.row(quoted, now)
      return {
        ...row,
        request_digest: requestDigest,
        fulfilment_consent: fulfilmentConsent(quoted.quote.total.currency, language, 'own-money-consent'),
        split_sealed: sealParts(keys, row.id, parts),
      }
    },
  }
}

const ofParts = (parts: readonly Selection[]) => parts.map(({ ngoId, points }) => [ngoId, points])

/** The rows are digested where there are any, each as its values alone. */
function ofMany(cards: number, rows: readonly GiftRow[]) {
  return rows.length === 0 ? { cards } : { cards, rows: rows.map(({ name, words }) => [name, words]) }
}

/** The same for a volunteering card. `mission` is what the card keeps, as JSON. */
export function newVolunteeringOrder(input: StartVolunteering, mission: string, keys: CardKeys): NewOrder {
  const { packageId, price, supportAmount, currency, themeId, sender, language } = input
  const asked = [packageId, price, supportAmount, currency, themeId, nameOf(sender), language, input.mission]
  const digested = JSON.stringify(withLater(asked, null, input))
  return attemptToBuy(input, { kind: 'volunteering', mission }, keys.keyedDigest(digested))
}

/**
 * What a press asks for, with what could be asked for later. Without any of that it is digested as the version before
 * did: the press may have begun there.
 */
function withLater(
  asked: readonly unknown[],
  fallback: string | null,
  { donor, message }: Pick<StartDonation, 'donor' | 'message'>,
): readonly unknown[] {
  if (message != null) return [...asked, fallback, donor?.name ?? null, donor?.document ?? null, message]
  if (donor) return [...asked, fallback, donor.name, donor.document]
  return fallback === null ? asked : [...asked, fallback]
}

function attemptToBuy(
  input: Attempt,
  what: Pick<Insertable<OrdersTable>, 'kind' | 'mission' | 'fallback_ngo_id' | 'card_count'> &
    Partial<KeptTerm>,
  requestDigest: string,
  rows: readonly GiftRow[] = [],
): NewOrder {
  return {
    attemptDigest: input.attemptKey === undefined ? null : attemptDigest(input.attemptKey),
    requestDigest,
    termsVersion: input.termsVersion,
    kind: what.kind,
    donor: input.donor ?? null,
    message: input.message ?? null,
    rows,
    partner: input.partner,
    replacesUnpaid: input.replacesUnpaid,
    row: (quoted, now) => ({ ...orderRow(input, quoted, now), ...what, request_digest: requestDigest }),
  }
}

type Attempt = Pick<
  StartDonation,
  | 'themeId'
  | 'sender'
  | 'message'
  | 'language'
  | 'attemptKey'
  | 'replacesUnpaid'
  | 'termsVersion'
  | 'donor'
  | 'keepsChain'
> & { readonly partner?: OfPartner | undefined }

const nameOf = (sender: Sender): string | null => (sender.kind === 'own' ? sender.name : null)

/** The fields of every attempt to buy. */
function orderRow(
  input: Attempt,
  { quote, offerVersion }: Quoted,
  now: number,
): Omit<Insertable<OrdersTable>, 'kind' | 'request_digest' | 'mission'> {
  return {
    id: newId(now),
    status: FIRST_ORDER_STATE,
    package_id: quote.packageId,
    theme_id: input.themeId,
    sender_name: nameOf(input.sender),
    language: input.language,
    currency: quote.total.currency,
    ngo_amount: quote.ngo.amount,
    support_amount: quote.support.amount,
    tax_amount: quote.tax.amount,
    total_amount: quote.total.amount,
    attempt_key_digest: input.attemptKey === undefined ? null : attemptDigest(input.attemptKey),
    checkout_session_sealed: null,
    checkout_session_digest: null,
    // Kept with the order, and in whole seconds as the provider has it: a retry must send the very same value.
    expires_at: Math.floor((now + PAYABLE_MS) / 1000) * 1000,
    created_at: now,
    settled_at: null,
    terms_version: input.termsVersion,
    fulfilment_consent: fulfilmentConsent(quote.total.currency, input.language),
    offer_version: offerVersion,
    vat_rate: hundredths(quote.vatRate),
    vat_amount: quote.vat.amount,
    keeps_chain: input.keepsChain === true ? 1 : null,
  }
}

/** The sentence that the buyer has agreed to; null where the currency's market asks for none. */
function fulfilmentConsent(
  currency: Currency,
  language: Language,
  sentence: 'prepayment-fulfilment-consent' | 'own-money-consent' = 'prepayment-fulfilment-consent',
): string | null {
  return asksForFulfilmentConsent(currency) ? getT(language)(sentence) : null
}

/** Is it too late to open a payment for this order? The provider would refuse, or has forgotten our first request. */
export function isTooLateToOpen(order: Order, now: number): boolean {
  return order.expires_at - now < SHORTEST_PAYABLE_MS
}

/** How a press's key is kept. */
export const attemptDigest = (attemptKey: string): string => digestOf(attemptKey)

/** The order that an attempt to pay has made before; undefined where it has made none. */
export function orderOfAttempt(db: Reader, attemptKeyDigest: string): Promise<Order | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('attempt_key_digest', '=', attemptKeyDigest)
    .executeTakeFirst()
}

/** The order of an id; undefined where there is none. */
export function orderById(db: Reader, id: string): Promise<Order | undefined> {
  return db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * The same, kept away from every other transaction until this one ends. An update that changes nothing, since that locks
 * the row on both engines.
 * @throws Problem payment-not-found
 */
export async function lockOrder(trx: Writer, id: string): Promise<Order> {
  const order = await trx
    .updateTable('orders')
    .set(eb => ({ expires_at: eb.ref('expires_at') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!order) throw new Problem('payment-not-found')
  return order
}

/** The order of a Checkout session, paid or not, by the keyed digest of its id. */
export function orderOfSession(db: Reader, sessionDigest: string): Promise<Order | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('checkout_session_digest', '=', sessionDigest)
    .executeTakeFirst()
}

/**
 * Is an order that is paid, or can be withdrawn from, paid by transfer? What is paid at the provider knows its session, and
 * the seal of the order covers that: a row among the invoices makes no other of it.
 */
export const isByTransfer = (order: Pick<Order, 'checkout_session_digest'>): boolean =>
  order.checkout_session_digest === null

/** Gives the attempt's key free for another order, and leaves this one as it stands. */
export async function freePress(trx: Writer, orderId: string): Promise<void> {
  await trx.updateTable('orders').set({ attempt_key_digest: null }).where('id', '=', orderId).execute()
}

/** Gives the attempt's key free for another order. The old one can still be settled, should it be paid after all. */
export async function retireOrder(trx: Writer, orderId: string): Promise<void> {
  await moveOrder(trx, 'replaced', orderId, { attempt_key_digest: null })
}

/** The same, unless a session was kept for it since it was read: that one may be paid. */
export async function retireAsRead(trx: Writer, { id, checkout_session_digest }: Order): Promise<void> {
  const isAsRead: Parameters<typeof moveOrders>[2] = order =>
    order.and([
      order('id', '=', id),
      order(
        'checkout_session_digest',
        checkout_session_digest === null ? 'is' : '=',
        checkout_session_digest,
      ),
    ])
  await moveOrders(trx, 'replaced', isAsRead, { attempt_key_digest: null })
}

/**
 * Keeps the session that the provider opened for an order: closed, to be asked about, and as a digest, to be recognised
 * by. Does nothing when one is kept already, or the order is over.
 * @param press the digest of the press that it is opened for; null without one
 * @returns whether it was kept
 */
export async function keepSession(
  trx: Writer,
  keys: CardKeys,
  {
    orderId,
    sessionId,
    press,
  }: { readonly orderId: string; readonly sessionId: string; readonly press: string | null },
): Promise<boolean> {
  const kept = await trx
    .updateTable('orders')
    .set({
      checkout_session_sealed: keys.seal(`${press ?? ''} ${sessionId}`, orderId),
      checkout_session_digest: keys.keyedDigest(sessionId),
    })
    .where('id', '=', orderId)
    .where('status', 'in', orderStatesOf('awaited'))
    .where('checkout_session_digest', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/**
 * The stored session of an open order: its id, and the press that opened it. Sessions that an earlier version stored
 * name no press.
 */
function keptSession(
  { id, checkout_session_sealed: sealed }: Pick<Order, 'id' | 'checkout_session_sealed'>,
  keys: CardKeys,
): { readonly sessionId: string; readonly press: string | undefined } | undefined {
  const parts = sealed === null ? undefined : keys.unseal(sealed, id)?.split(' ')
  return parts && { sessionId: parts.at(-1)!, press: parts.length > 1 ? parts[0] : undefined }
}

/** The id of an open order's session; undefined where none was kept, as the provider's answer was lost. */
export const sessionOf = (
  order: Pick<Order, 'id' | 'checkout_session_sealed'>,
  keys: CardKeys,
): string | undefined => keptSession(order, keys)?.sessionId

/** Is the kept session of the press that the order says? */
export function isOfPress(order: Order, keys: CardKeys): boolean {
  const press = keptSession(order, keys)?.press
  return press === undefined || press === (order.attempt_key_digest ?? '')
}
