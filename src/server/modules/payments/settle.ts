import type Stripe from 'stripe'
import { areLinksShown } from '#domain/card/shown-links.ts'
import { isVisible } from '#domain/card/states.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { isSold } from '#domain/payment/order-states.ts'
import type { SettledDonation, SettledMany } from '#domain/payment/purchase.ts'
import { UNPAID_SESSIONS, type UnpaidSession } from '#domain/payment/unpaid-sessions.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { isConfirmationSent, queueFirstConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import type { SettledVolunteering } from '#server/modules/gifts/interface.ts'
import { readKeptMission } from '#server/modules/gifts/invitations/mission-snapshot.ts'
import { addManyPage, manyPageOf } from '#server/modules/gifts/many-pages.ts'
import { MAKE_CARDS } from '#server/modules/gifts/sold-cards.ts'
import { type Card, type CardOf, cardsOfOrder, sealOfStored } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { recordSale } from '#server/modules/ledger/record.ts'
import { sealOfOrder } from '#server/modules/ledger/seals.ts'
import { titleOfBought } from '#server/modules/offers/titles.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { countInChain } from './chain.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import type { SettledOwnMoney } from './interface.ts'
import { moveOrder } from './move-orders.ts'
import type { OncePerSession } from './once-per-session.ts'
import { type Order, orderById, orderOfSession } from './orders.ts'
import { givenAtPayment, giveOwnMoney, isDoubtful, isOwnMoney } from './own-money.ts'
import { isOfPartner } from './partner-orders.ts'
import { asking } from './provider.ts'
import { applyReversals } from './refunds-and-disputes.ts'
import { readSessionId } from './session-id.ts'
import { keepCharge } from './withdrawals/charges.ts'
import { withdrawNewCards } from './withdrawals/follow.ts'

/** What is needed to answer whoever names a session: a buyer who comes back from paying, or anybody else. */
export interface ReturningDependencies extends PaymentsDependencies {
  readonly oncePerSession: OncePerSession
}

/**
 * The card of a paid Checkout session, for its buyer. However often and by whomever it is called, there is one card,
 * one sale in the books and one mail. The session gives the keys for a day, and never those that replaced the first
 * ones: later whoever finds its id finds nothing.
 * Problems: payment-not-found; payment-not-completed, whose field `payment` names what became of it; links-by-mail
 * with the masked address; provider-unavailable.
 */
export async function settle(deps: ReturningDependencies, sessionIdText: string): Promise<SettledDonation> {
  return donationOf(deps, await settledOrder(deps, sessionIdText, 'donation'))
}

async function donationOf(deps: PaymentsDependencies, order: Order): Promise<SettledDonation> {
  const { card, told } = await settledCard(deps, order, 'donation')
  if (!('auto_donate_at' in card)) throw new Error('A gift card has a last day')
  return {
    ...told,
    autoDonateAt: card.auto_donate_at,
    privateKey: deps.keys.privateKey(card.id, card.key_version),
    publicKey: deps.keys.publicKey(card.id, card.key_version),
  }
}

/** The same for whatever was bought as gift cards: the one card, or where the buyer of many finds theirs. */
export async function settlePurchase(
  deps: ReturningDependencies,
  sessionIdText: string,
): Promise<SettledDonation | SettledMany> {
  const order = await settledOrder(deps, sessionIdText, 'donation')
  const page = await deps.db.read(db => manyPageOf(db, order.id))
  if (!page) return donationOf(deps, order)
  const [card] = await deps.db.read(db => cardsOfOrder(db, 'donation', order.id))
  if (!card) throw new Error('A settled order has no card')
  const isSealed = areSealed(deps, order, card, 'donation')
  const isPartners = await deps.db.read(db => isOfPartner(db, order.id))
  // As with the links of one card: for a day, and not once the page has another address.
  const ofPage = { email: card.email, status: 'active', key_version: page.key_version } as const
  checkLinksShown(deps, order, ofPage, isSealed && !isPartners)
  return { orderId: order.id, manyKey: deps.keys.manyKey(order.id, page.key_version) }
}

/** The same for a volunteering card. */
export async function settleVolunteering(
  deps: ReturningDependencies,
  sessionIdText: string,
): Promise<SettledVolunteering> {
  const order = await settledOrder(deps, sessionIdText, 'volunteering')
  const { card, told } = await settledCard(deps, order, 'volunteering')
  if (!('mission' in card)) throw new Error('An invitation has a mission')
  const mission = readKeptMission(card.mission)
  return { ...told, mission, key: deps.keys.privateKey(card.id, card.key_version) }
}

/**
 * The same for own money. It gives no key and names no mailbox in full; to whom the money went is told on the day of the
 * payment, as links are.
 */
export async function settleOwnMoney(
  deps: ReturningDependencies,
  sessionIdText: string,
): Promise<SettledOwnMoney> {
  const order = await settledOrder(deps, sessionIdText, 'own-money')
  const { card, given } = await deps.db.read(async db => {
    const [card] = await cardsOfOrder(db, 'donation', order.id)
    return { card, given: card && (await givenAtPayment(db, card.id)) }
  })
  if (!card) throw new Error('A settled order has no card')
  areSealed(deps, order, card, 'donation')
  // A withdrawn or refunded one reads as one that does not exist.
  if (!isVisible(card.status)) throw new Problem('payment-not-found')
  const amount = amountsOf(order).price
  if (given === undefined) {
    const maskedAddress = card.email === null ? null : maskAddress(card.email)
    return { kind: 'to-divide', amount, maskedAddress }
  }
  const isShown = areLinksShown({ since: order.settled_at ?? 0, keyVersion: card.key_version }, deps.clock())
  return { kind: 'given', amount, allocations: isShown ? given : undefined }
}

/** The card of a settled order, and what its buyer is told of a card of either kind. @throws Problem as `settle` */
async function settledCard(deps: PaymentsDependencies, order: Order, kind: GiftKind) {
  const [card, ...others] = await deps.db.read(db => cardsOfOrder(db, kind, order.id))
  if (!card) throw new Error('A settled order has no card')
  // Many cards are not shown as one: they have a page of their own.
  if (others.length > 0) throw new Problem('payment-not-found')
  const isSealed = areSealed(deps, order, card, kind)
  const isPartners = await deps.db.read(db => isOfPartner(db, order.id))
  checkLinksShown(deps, order, card, isSealed && !isPartners)
  const told = {
    cardId: card.id,
    checkWord: printedWordOf(card, deps.keys.privateKey(card.id, card.key_version)),
    sendingKey: deps.keys.sendingKey(card.id, card.key_version),
    email: card.email ?? '',
    senderName: card.sender_name,
    isConfirmationEmailSent: await deps.db.read(db => isConfirmationSent(db, card.id)),
    packageId: order.package_id,
    packageTitle: await deps.db.read(db => titleOfBought(db, order)),
    price: amountsOf(order).price,
  }
  return { card, told }
}

/**
 * Somebody who writes to the database could give their own session another's order, or their own order another's card.
 * @returns whether both have their seal; rows from before there were seals have none
 * @throws Problem where one of the seals is broken
 */
function areSealed(
  { keys, log }: PaymentsDependencies,
  order: Order,
  card: CardOf[GiftKind],
  kind: GiftKind,
): boolean {
  const seals = [
    { kept: order.seal, made: sealOfOrder(keys, order) },
    { kept: card.seal, made: sealOfStored(keys, kind, card) },
  ]
  if (seals.some(({ kept, made }) => kept !== null && kept !== made)) {
    log.error('payment-not-ours', new Error('seal'), {
      order: order.id,
      amount: order.total_amount,
      currency: order.currency,
      differs: 'seal',
    })
    throw new Problem('payment-not-found')
  }
  return seals.every(({ kept }) => kept !== null)
}

/**
 * Whoever opened the payment knows its session. Where that was a partner's program, the links go to the buyer's mailbox
 * alone.
 * @param mayShow have both their seals, and did the buyer's own browser open the payment?
 * @throws Problem where the session does not give the card's keys (any more)
 */
function checkLinksShown(
  { clock }: PaymentsDependencies,
  { settled_at: settledAt }: Order,
  card: Pick<Card, 'status' | 'key_version' | 'email'>,
  mayShow: boolean,
): void {
  // A frozen or revoked one reads as one that doesn't exist.
  if (!isVisible(card.status)) throw new Problem('payment-not-found')
  if (mayShow && areLinksShown({ since: settledAt ?? 0, keyVersion: card.key_version }, clock())) return
  throw new Problem('links-by-mail', card.email === null ? {} : { maskedAddress: maskAddress(card.email) })
}

/** The order of a paid session. One of something else is settled all the same, and reads as not found here. */
async function settledOrder(
  deps: ReturningDependencies,
  sessionIdText: string,
  bought: GiftKind | 'own-money',
): Promise<Order> {
  const sessionId = readSessionId(sessionIdText)
  if (sessionId === undefined) throw new Problem('payment-not-found')
  // Once settled the provider need not be asked again: a buyer who reloads finds the links even while it is down.
  const digest = deps.keys.keyedDigest(sessionId)
  const known = () => deps.db.confirmed(db => orderOfSession(db, digest))
  const earlier = await known()
  const isSettled = earlier !== undefined && isSold(earlier.status)
  // Whoever settled it first may wait for that still.
  if (isSettled) await deps.outlasting?.()
  // A session's digest is kept before its address is given to anybody, so that whoever makes ids up takes no turn at the
  // provider. A backup that was brought back may lack the digests of sessions since.
  else if (!earlier && !(await deps.db.read(openRestoration))) throw new Problem('payment-not-found')
  const settling = () => settleSession(deps, sessionId)
  const order = isSettled ? earlier : await deps.oncePerSession(digest, settling).then(known)
  if (!order || !isSold(order.status) || (isOwnMoney(order) ? 'own-money' : order.kind) !== bought)
    throw new Problem('payment-not-found')
  return order
}

/**
 * Asks the provider what became of a session and makes our side agree: paid → order paid, card, sale and mail
 * in one transaction; expired or failed → the order is closed.
 * Problems: payment-not-found for a session that is not of one of our orders to the cent; payment-not-completed.
 * @returns the settled order
 */
export async function settleSession(deps: PaymentsDependencies, sessionId: string): Promise<Order> {
  const { db, stripe, log, clock } = deps
  const session = await asking(log, () =>
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }),
  )
  const orderId = session.metadata?.order_id
  const order = orderId ? await db.read(reader => orderById(reader, orderId)) : undefined
  const mismatch = mismatchOf(deps.keys, order, session)
  if (!order || mismatch) {
    const differs = mismatch ?? 'order'
    // The order has a later one, whose request was not answered with this one any more: nobody has its address.
    if (differs === 'session' && session.payment_status !== 'paid') throw new Problem('payment-not-found')
    log.error('payment-not-ours', new Error(differs), {
      order: order?.id ?? null,
      amount: session.amount_total,
      currency: session.currency?.toUpperCase() ?? null,
      differs,
    })
    throw new Problem('payment-not-found')
  }
  if (session.payment_status !== 'paid') {
    const state = stateOf(session)
    const { event } = UNPAID_SESSIONS[state]
    if (event !== null) await db.transaction(trx => moveOrder(trx, event, order.id))
    throw new Problem('payment-not-completed', { fields: [{ path: 'payment', rule: state }] })
  }
  const email = session.customer_details?.email ?? null
  const charge = chargeOf(session)
  const unreadable = 'own-money-unreadable'
  const { isNew, ownMoney } = await db.transaction(async trx => {
    const issued = await issueCards(trx, deps, { order, sessionId, email, charge, now: clock() })
    if (issued.ownMoney === 'unreadable') await log.queueAlarm?.(trx, unreadable, { order: order.id })
    return issued
  })
  if (isNew) {
    if (ownMoney === 'unreadable') log.error(unreadable, new Error('split'), { order: order.id })
    if (ownMoney === 'unlisted') log.info('own-money-unlisted', { order: order.id })
    if (ownMoney === 'doubtful') log.info('own-money-doubtful', { order: order.id })
    // A card that was lost would be made again from the payment, with other links than its buyer was shown.
    await deps.outlasting?.()
    deps.onQueued?.()
  }
  // A payment can be given back or disputed before its first event reaches us: the card has to know.
  if (charge && isDoubtful(charge)) await applyReversals(deps, charge.id)
  return order
}

/** A payment that has arrived: by a Checkout session, or by an invoice, which has neither session nor charge. */
interface Paid {
  readonly charge: Stripe.Charge | undefined
  readonly order: Order
  readonly sessionId: string | null
  readonly email: string | null
  readonly now: number
  /** Of the keys of its cards and of the purchase; the first one when missing. */
  readonly keyVersion?: number | undefined
}

interface Issued {
  /** false when somebody else went through the door before. */
  readonly isNew: boolean
  /** What became of own money, where it is that. */
  readonly ownMoney?: Awaited<ReturnType<typeof giveOwnMoney>>
}

/** The only door from paid to cards: all that were bought, or none. */
export async function issueCards(
  trx: Writer,
  deps: Pick<PaymentsDependencies, 'keys' | 'listedNgoIds'>,
  paid: Paid,
): Promise<Issued> {
  const { order, sessionId, now } = paid
  const digest = sessionId === null ? null : deps.keys.keyedDigest(sessionId)
  const settled = { settled_at: now, checkout_session_digest: digest }
  const seal = sealOfOrder(deps.keys, { ...order, ...settled })
  const isFirst = await moveOrder(trx, 'paid', order.id, { ...settled, seal })
  if (!isFirst) return { isNew: false }

  const { kind } = order
  const cardIds = await MAKE_CARDS[kind](trx, deps.keys, {
    order,
    email: paid.email,
    createdAt: now,
    keyVersion: paid.keyVersion,
  })
  await recordSale(trx, { kind, orderId: order.id, cardIds, ...amountsOf(order), at: now })
  await keepCharge(trx, order.id, paid.charge)
  if (order.keeps_chain === 1) await countInChain(trx, cardIds.length, now)
  const isWithdrawn = await withdrawNewCards(trx, deps.keys, { order, now })
  const ownMoney = isWithdrawn
    ? undefined
    : await giveOwnMoney(trx, deps, order, { charge: paid.charge, at: now })
  if (cardIds.length > 1)
    await addManyPage(trx, deps.keys, { orderId: order.id, now, keyVersion: paid.keyVersion })
  const [cardId] = cardIds
  // One mail, however many cards: of many it leads to their page.
  if (paid.email !== null && !isWithdrawn && cardId !== undefined)
    await queueFirstConfirmation(trx, { kind, orderId: order.id, cardId, now })
  return { isNew: true, ownMoney }
}

/** Why a session is not this order's, as one word for the operator; undefined if it is. */
function mismatchOf(
  keys: CardKeys,
  order: Order | undefined,
  session: Stripe.Checkout.Session,
): string | undefined {
  if (!order) return 'order'
  const known = order.checkout_session_digest
  // No session id is stored: the answer to our first request was lost, and the id with it.
  const isSameSession = known === null ? !isSold(order.status) : known === keys.keyedDigest(session.id)
  if (!isSameSession) return 'session'
  if (session.currency !== order.currency.toLowerCase()) return 'currency'
  return session.amount_total === order.total_amount ? undefined : 'amount'
}

/** The outcome of an unpaid session: nobody has paid yet, the money is on its way, or it never comes. */
function stateOf(session: Stripe.Checkout.Session): UnpaidSession {
  if (session.status === 'expired') return 'expired'
  if (session.status !== 'complete') return 'open'
  const intent = session.payment_intent
  if (typeof intent !== 'object' || intent === null) return 'processing'
  return intent.status === 'requires_payment_method' || intent.status === 'canceled' ? 'failed' : 'processing'
}

function chargeOf({ payment_intent: intent }: Stripe.Checkout.Session): Stripe.Charge | undefined {
  if (typeof intent !== 'object' || intent === null) return undefined
  return typeof intent.latest_charge === 'object' && intent.latest_charge ? intent.latest_charge : undefined
}

/**
 * Runs a settlement for its effect; a payment that is not completed, or not ours, is no failure then.
 * @returns is it settled now?
 */
export async function trySettle(deps: PaymentsDependencies, sessionId: string): Promise<boolean> {
  try {
    await settleSession(deps, sessionId)
    return true
  } catch (error) {
    const isAnswer =
      isProblem(error) && (error.code === 'payment-not-completed' || error.code === 'payment-not-found')
    if (!isAnswer) throw error
    return false
  }
}
