import { FEWEST_OF_MANY } from '#domain/card/gift-rows.ts'
import { DEFAULT_TERM } from '#domain/card/term.ts'
import { asksForDonor, type DonorIdentity } from '#domain/donor/identity.ts'
import { MINUTE_MS } from '#domain/durations.ts'
import { asksForFulfilmentConsent } from '#domain/legal/fulfilment-consent.ts'
import { checkParts } from '#domain/own-money/own-money.ts'
import { isAwaited, isSold } from '#domain/payment/order-states.ts'
import { quoteOfMany } from '#domain/pricing/quote.ts'
import { Problem } from '#domain/problems.ts'
import { keptMission } from '#server/modules/gifts/invitations/mission-snapshot.ts'
import { keepMessage } from '#server/modules/gifts/messages.ts'
import { keepRows } from '#server/modules/gifts/order-rows.ts'
import { cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import type { Quoted } from '#server/modules/offers/offers.ts'
import type {
  StartDonation,
  StartInvoice,
  StartOwnMoney,
  StartPartnerOrder,
  StartVolunteering,
} from '#server/modules/payments/interface.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { checkoutParameters, successUrl } from './checkout-parameters.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { addInvoice, invoiceKeyOf, invoiceOf } from './invoices/stored.ts'
import {
  freePress,
  isAsked,
  isOfPress,
  isTooLateToOpen,
  keepSession,
  type NewOrder,
  newInvoicedOrder,
  newOrder,
  newOwnMoneyOrder,
  newVolunteeringOrder,
  type Order,
  orderById,
  orderOfAttempt,
  retireAsRead,
  retireOrder,
  sessionOf,
} from './orders.ts'
import { keepPartner, type PartnerOrder, pressOfPartner, readPartnerOrder } from './partner-orders.ts'
import { asking } from './provider.ts'
import { withdrawalKeyOf } from './withdrawals/find.ts'
import { withdrawalsOf } from './withdrawals/stored.ts'

/** A press whose session has expired gets one new order; more would be a loop between us and the provider. */
const ROUNDS = 2

/** So long a press whose answer was lost asks for the very same session. */
const SAME_REQUEST_MS = 10 * MINUTE_MS

/** So many presses may take the place of each other in the same moment; the last of more is asked to press again. */
const PRESSES_AT_ONCE = 4

/**
 * Opens a payment (product.md#payment). The order is written before the provider is asked, and its id with the press is
 * the idempotency key there: however often one press arrives, it has one order and one session.
 * Problems: price-not-listed; ngo-not-listed for an organisation to fall back on that is not on the list; invalid-fields
 * for a key that was used for another purchase, or without the consent that the currency's market asks for;
 * summary-changed for a theme that is not published, or without the identity that the market asks for; terms-missing,
 * terms-changed; provider-unavailable.
 */
export async function startDonation(
  deps: PaymentsDependencies,
  input: StartDonation,
): Promise<{ readonly url: string }> {
  requireFulfilmentConsent(input)
  requireListed(deps, input)
  requireRowEach(input)
  const term = deps.termOf?.(input.currency) ?? DEFAULT_TERM
  return open(deps, newOrder(input, term, deps.keys), trx => quotedForAll(trx, deps, input))
}

/** What all cards of an order cost together. */
async function quotedForAll(
  trx: Writer,
  { offers }: PaymentsDependencies,
  input: StartDonation,
): Promise<Quoted> {
  const { quote, ...rest } = await offers.quoteGift(trx, input)
  return { ...rest, quote: quoteOfMany(quote, input.cards ?? 1) }
}

/**
 * The same for a partner's program, whose key is of one order for ever: it comes again with the same order and address, and
 * without an address once nothing can be paid there.
 * Problems: as `startDonation`; a payment that is over is none.
 */
export async function startPartnerOrder(
  deps: PaymentsDependencies,
  { partner, idempotencyKey, ...input }: StartPartnerOrder,
): Promise<PartnerOrder & { readonly url: string | null }> {
  requireFulfilmentConsent(input)
  requireListed(deps, input)
  const term = deps.termOf?.(input.currency) ?? DEFAULT_TERM
  const attemptKey = pressOfPartner(partner.id, idempotencyKey)
  const asked = newOrder({ ...input, partner, attemptKey }, term, deps.keys)
  const order = await orderOf(deps, asked, each => deps.offers.quoteGift(each, input))
  const canOpen = order.checkout_session_sealed !== null || !isTooLateToOpen(order, deps.clock())
  const url = isAwaited(order.status) && canOpen ? await payableUrl(deps, order) : undefined
  if (url !== undefined) await deps.outlasting?.()
  return { ...(await readPartnerOrder(deps.db, partner.id, order.id)), url: url ?? null }
}

/**
 * The same for many cards that are paid by invoice: nothing is opened at the provider, and the order waits for a transfer.
 * One press is one invoice.
 * Problems: as `startDonation`, but for those of the provider.
 * @returns the order, and the key of its page
 */
export async function startInvoice(
  deps: PaymentsDependencies,
  input: StartInvoice,
): Promise<{ readonly orderId: string; readonly key: string }> {
  requireFulfilmentConsent(input)
  requireListed(deps, input)
  requireRowEach(input)
  if ((input.cards ?? 1) < FEWEST_OF_MANY)
    throw new Problem('invalid-fields', { fields: [{ path: 'cards', rule: 'range' }] })
  const term = deps.termOf?.(input.currency) ?? DEFAULT_TERM
  const asked = newInvoicedOrder(input, term, deps.keys)
  const order = await orderOf(deps, asked, each => quotedForAll(each, deps, input))
  // Whoever has the invoice can pay it: its order is never lost.
  await deps.outlasting?.()
  deps.onQueued?.()
  return { orderId: order.id, key: await deps.db.read(reader => keyOfInvoiced(reader, deps, order)) }
}

/**
 * The same for own money, which is given to whom its payer says with the payment (product.md#own-money).
 * Problems: as `startDonation`; ngo-not-listed for any of the organisations.
 */
export async function startOwnMoney(
  deps: PaymentsDependencies,
  input: StartOwnMoney,
): Promise<{ readonly url: string }> {
  requireFulfilmentConsent(input)
  checkParts(input.ngoAmount, input.parts, deps.listedNgoIds?.() ?? [])
  const term = deps.termOf?.(input.currency) ?? DEFAULT_TERM
  return open(deps, newOwnMoneyOrder(input, term, deps.keys), trx => deps.offers.quoteGift(trx, input))
}

/** The same for a volunteering card. Problems: also mission-not-listed. */
export async function startVolunteering(
  deps: PaymentsDependencies,
  input: StartVolunteering,
): Promise<{ readonly url: string }> {
  requireFulfilmentConsent(input)
  const mission = JSON.stringify(keptMission(input.mission, deps.missions?.() ?? []))
  return open(deps, newVolunteeringOrder(input, mission, deps.keys), trx =>
    deps.offers.quoteInvitation(trx, { ...input, ngoAmount: input.price }),
  )
}

/** @throws Problem ngo-not-listed where the buyer names an organisation that no card can be given to */
function requireListed(
  { listedNgoIds }: PaymentsDependencies,
  { fallbackNgoId }: Pick<StartDonation, 'fallbackNgoId'>,
): void {
  if (fallbackNgoId == null || listedNgoIds?.().includes(fallbackNgoId)) return
  throw new Problem('ngo-not-listed', { fields: [{ path: 'fallback_ngo', rule: 'listed' }] })
}

/** @throws Problem invalid-fields where rows are of another number of cards than is bought */
function requireRowEach({ cards = 1, rows = [] }: Pick<StartDonation, 'cards' | 'rows'>): void {
  if (rows.length === 0 || (cards > 1 && rows.length === cards)) return
  throw new Problem('invalid-fields', { fields: [{ path: 'rows', rule: 'one-each' }] })
}

/** @throws Problem invalid-fields where the buyer has not agreed to what has to be agreed to */
function requireFulfilmentConsent({
  currency,
  fulfilmentConsent,
}: Pick<StartDonation, 'currency' | 'fulfilmentConsent'>): void {
  if (fulfilmentConsent || !asksForFulfilmentConsent(currency)) return
  throw new Problem('invalid-fields', { fields: [{ path: 'fulfilment_consent', rule: 'required' }] })
}

/**
 * Who gives, where the market asks for it from such an amount on. Else nothing is kept, whatever was sent.
 * @throws Problem summary-changed where it has to be said and was not: the market did not ask yet when the buyer's page
 * was made
 */
function donorOf(
  { identityFrom }: PaymentsDependencies,
  { kind, donor }: NewOrder,
  { quote }: Quoted,
): DonorIdentity | undefined {
  if (!asksForDonor(quote, kind, identityFrom?.(quote.total.currency) ?? null)) return undefined
  if (donor) return donor
  throw new Problem('summary-changed', { fields: [{ path: 'donor', rule: 'required' }] })
}

async function open(
  deps: PaymentsDependencies,
  asked: NewOrder,
  quoted: (trx: Writer) => Promise<Quoted>,
): Promise<{ readonly url: string }> {
  const { db } = deps
  for (let round = 0; round < ROUNDS; round++) {
    const order = await orderOf(deps, asked, quoted)
    const url = await payableUrl(deps, order, sessionId => successUrl(deps.siteUrl, order, sessionId))
    if (url !== undefined) {
      // Whoever has the address can pay: the order of a payment is never lost.
      await deps.outlasting?.()
      return { url }
    }
    await db.transaction(trx => retireOrder(trx, order.id))
  }
  throw new Problem('provider-unavailable')
}

/**
 * The order of this attempt, or a new one.
 * @throws Problem invalid-fields where its key was used for something else; also those of `leave`
 */
async function orderOf(
  deps: PaymentsDependencies,
  asked: NewOrder,
  quoted: (trx: Writer) => Promise<Quoted>,
): Promise<Order> {
  for (let round = 0; round < PRESSES_AT_ONCE; round++) {
    const order = await deps.db.transaction(trx => orderFor(trx, deps, asked, quoted))
    if (isAsked(order, asked)) return order
    if (asked.partner || asked.invoice) throw refusedKey('used-otherwise')
    const isClosed = await leave(
      deps,
      order,
      asked.replacesUnpaid && (() => deps.db.transaction(trx => pricedFor(trx, deps, asked, quoted))),
    )
    if (!isClosed) throw refusedKey('used-otherwise')
    await deps.db.transaction(trx => retireAsRead(trx, order))
  }
  throw new Problem('provider-unavailable')
}

/**
 * Leaves an order for another one of the same press. What it is for may be paid and not be settled yet: the same gift in
 * another language must not open a second payment. One whose place is taken is closed at the provider, so that no page of it
 * can be paid beside the new one.
 * @param priceOther prices what takes its place: nobody loses the page that they can pay where no other one would be opened.
 * Missing where nothing does
 * @returns whether nobody can pay it any more
 * @throws Problem invalid-fields where it was paid, before anything else is said; payment-not-found where the provider does not know its session, which may
 * have been paid; provider-unavailable
 */
async function leave(
  { stripe, log, keys }: PaymentsDependencies,
  order: Order,
  priceOther: (() => Promise<unknown>) | false | undefined,
): Promise<boolean> {
  const id = isOfPress(order, keys) ? sessionOf(order, keys) : undefined
  const lookAt = async () => {
    if (id === undefined) return undefined
    const { status } = await asking(log, () => stripe.checkout.sessions.retrieve(id))
    if (status === 'complete') throw refusedKey('spent')
    return status
  }
  const status = await lookAt()
  if (!priceOther) return false
  await priceOther()
  if (id === undefined || status !== 'open') return true
  // Without a key of ours: the provider would repeat a failure of its own for a day, and what is closed is closed.
  await asking(log, () => stripe.checkout.sessions.expire(id)).catch(async (error: unknown) => {
    // It was paid in this moment, or another server closed it.
    if ((await lookAt()) === 'open') throw error
  })
  return true
}

/** What is asked for as a row of its own, with today's prices. Problems: as `startDonation`, but for those of the provider. */
async function pricedFor(
  trx: Writer,
  deps: PaymentsDependencies,
  asked: NewOrder,
  quoted: (trx: Writer) => Promise<Quoted>,
) {
  await deps.terms.accept(trx, asked.termsVersion)
  const priced = await quoted(trx)
  const donor = donorOf(deps, asked, priced)
  const row = asked.row(priced, deps.clock())
  await deps.themes.accept(trx, row.theme_id)
  return { row, donor }
}

/** The order of this attempt, which may have been for something else; or a new one. */
async function orderFor(
  trx: Writer,
  deps: PaymentsDependencies,
  asked: NewOrder,
  quoted: (trx: Writer) => Promise<Quoted>,
): Promise<Order> {
  const now = deps.clock()
  const known = asked.attemptDigest ? await orderOfAttempt(trx, asked.attemptDigest) : undefined
  if (known) {
    // A browser presses with it for the same gift, perhaps in another language or with another name of who gives: what it
    // was paid for is said first, and the next press is another purchase.
    if (!asked.partner && !asked.invoice && isSold(known.status)) throw refusedKey('spent')
    if (!isAsked(known, asked)) return known
    // A program asks what became of its order, and one press is one invoice.
    if (asked.partner || (asked.invoice && (await isInvoiceOpen(trx, known)))) return known
    const isUsable =
      !asked.invoice &&
      isAwaited(known.status) &&
      (known.checkout_session_sealed !== null || !isTooLateToOpen(known, now))
    if (isUsable) return known
    // An invoice stands as it is, and says why it can be paid no more.
    await (asked.invoice ? freePress(trx, known.id) : retireOrder(trx, known.id))
  }
  const { row, donor } = await pricedFor(trx, deps, asked, quoted)
  const added = await trx
    .insertInto('orders')
    .values(row)
    .onConflict(conflict => conflict.column('attempt_key_digest').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added && donor)
    await trx
      .insertInto('donor_identities')
      .values({ order_id: added.id, ...donor, created_at: now })
      .execute()
  if (added && asked.message !== null) await keepMessage(trx, added.id, asked.message, now)
  if (added) await keepRows(trx, added.id, asked.rows)
  if (added && asked.partner) await keepPartner(trx, added.id, asked.partner, now)
  if (added && asked.invoice) await addInvoice(trx, deps.keys, { order: added, to: asked.invoice, now })
  // No row was added: the same press arrived twice at once, and the other request was first.
  return added ?? orderFor(trx, deps, asked, quoted)
}

/**
 * The key under which a session is asked for. Of the press too: under the order's id alone the provider would give another
 * press this one's session. And of some minutes: the provider repeats a failure of its own for a day, and of two sessions
 * of one order the second is the only one whose address anybody has.
 */
function openingKeyOf({ id, attempt_key_digest, created_at }: Order, now: number): string {
  const later = Math.floor((now - created_at) / SAME_REQUEST_MS)
  return `checkout:${id}:${attempt_key_digest ?? ''}${later > 0 ? `:${later}` : ''}`
}

/**
 * The address to send the buyer to; undefined when the order's session can no longer be paid.
 * @param whenPaid the address once it was paid: it leads to the links, and so is the buyer's alone
 */
async function payableUrl(
  deps: PaymentsDependencies,
  order: Order,
  whenPaid: (sessionId: string) => string | undefined = () => undefined,
): Promise<string | undefined> {
  const { stripe, db, log, siteUrl, keys } = deps
  if (!isOfPress(order, keys)) return undefined
  const sessionId = sessionOf(order, keys)
  if (sessionId === undefined) {
    const session = await asking(log, () =>
      stripe.checkout.sessions.create(checkoutParameters(siteUrl, order), {
        idempotencyKey: openingKeyOf(order, deps.clock()),
      }),
    )
    if (!session.url) return undefined
    const { id, url } = session
    const kept = { orderId: order.id, sessionId: id, press: order.attempt_key_digest }
    if (await db.transaction(trx => keepSession(trx, keys, kept))) return url
    // Another server was first. The buyer must pay its session, since only that one makes the card.
    const now = await db.read(reader => orderById(reader, order.id))
    if (!now?.checkout_session_sealed) return undefined
    return sessionOf(now, keys) === id ? url : payableUrl(deps, now, whenPaid)
  }
  // A stored address may be of a session that has expired meanwhile, or has been paid in another tab.
  const session = await asking(log, () => stripe.checkout.sessions.retrieve(sessionId))
  if (session.status === 'open' && session.url) return session.url
  return session.status === 'complete' ? whenPaid(sessionId) : undefined
}

/** The key of an order's invoice; of a paid one, where its press comes again, that of its cards. */
async function keyOfInvoiced(db: Reader, { keys }: PaymentsDependencies, order: Order): Promise<string> {
  const cards = await cardsOfOrder(db, order.kind, order.id)
  const invoice = await invoiceOf(db, order.id)
  return cards.length === 0 && invoice
    ? invoiceKeyOf(keys, invoice)
    : withdrawalKeyOf(db, { keys }, { order, cards })
}

/** Can the invoice of an order still be paid, or was it? Else a press that comes again asks for another one. */
async function isInvoiceOpen(trx: Writer, { id, status }: Order): Promise<boolean> {
  if (isSold(status)) return true
  return isAwaited(status) && (await withdrawalsOf(trx, id)).length === 0
}

function refusedKey(rule: string): Problem {
  return new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule }] })
}
