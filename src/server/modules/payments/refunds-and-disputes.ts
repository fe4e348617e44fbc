import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import { readNamedCards } from '#domain/card/batch.ts'
import { GIFTS } from '#domain/card/gifts.ts'
import { HOLDS_OF_MONEY_BACK } from '#domain/card/holds.ts'
import { type CardStatus, isGiven, isUnused } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import {
  type ChargeFacts,
  difference,
  givenBack,
  isWhollyBack,
  NO_REVERSAL,
  type ReversalEntries,
  reversalOf,
  type SaleAmounts,
  statusFor,
  supportLeft,
  takenOffCard,
  totalOf,
} from '#domain/money/reversal.ts'
import {
  factsOfCards,
  isSupportAlone,
  isUnclear,
  leftOfCard,
  type OrderBack,
} from '#domain/money/reversal-parts.ts'
import { isDisputeOpen } from '#domain/payment/dispute-states.ts'
import { isAbout } from '#domain/withdrawal/cards.ts'
import {
  holdsCard,
  isSupportBack,
  isTold,
  isUnfinished,
  withdrawalAfter,
} from '#domain/withdrawal/withdrawal.ts'
import { queueHeldConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import { holdsOn, noteHold, statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { type Card, cardsOfOrder, changeCard, lockCardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { saleOf, saleOfEach } from '#server/modules/ledger/order-amounts.ts'
import { post } from '#server/modules/ledger/post.ts'
import { numberRefund } from '#server/modules/ledger/receipts.ts'
import { cardInBooks } from '#server/modules/ledger/record.ts'
import { type Sealer, sealedAnew, sealOfReversal } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ReversalsTable, VolunteeringCard } from '#server/platform/db/schema.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { cardReversals, keepCardReversal } from './card-reversals.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { type DisputeFacts, disputeFacts, keepDisputes } from './keep-disputes.ts'
import { namedCards } from './named-cards.ts'
import { lockOrder, type Order, orderById } from './orders.ts'
import { asking } from './provider.ts'
import { isPaidByAnother } from './withdrawals/charges.ts'
import { queueAcknowledgement } from './withdrawals/follow.ts'
import { refundOf, type WithdrawalRefund, withdrawalRefunds } from './withdrawals/refund-mark.ts'
import { asEarlier, changeWithdrawal, type Withdrawal, withdrawalsOf } from './withdrawals/stored.ts'
import { nameOfWritten, writtenLook } from './written-looks.ts'

const CAUSE = 'reversal'
/** Asking again until nothing changed; a charge that changes this often within a second is a provider gone mad. */
const ROUNDS = 5

export type ReversalsDependencies = Pick<PaymentsDependencies, 'db' | 'clock' | 'stripe' | 'keys' | 'log'>

/**
 * Makes a card and the books agree with its charge as it is now: refunds, refunds that failed, disputes opened,
 * won and lost (product.md#states). Events only say that something may have changed; they repeat and arrive in any
 * order, so the state comes from the provider, and what was written is compared with a second look afterwards:
 * of two that run at once, the one that writes last has looked last. A look is written only where nobody else has written since
 * it began: one from before a refund would free the card until the second look, and for hours if the process died before that.
 */
export async function applyReversals(deps: ReversalsDependencies, chargeId: string): Promise<void> {
  const look = async () => {
    const known = await deps.db.read(reader => sightedAt(reader, nameOfWritten(chargeId)))
    return { known, facts: await factsOf(deps, chargeId) }
  }
  let last = await look()
  // Something else sold through the same account.
  if (last.facts.orderId === null) return
  for (let round = 0; round < ROUNDS; round++) {
    const isWritten = await write(deps, chargeId, last)
    const now = await look()
    if (isWritten && JSON.stringify(now.facts) === JSON.stringify(last.facts)) return
    last = now
  }
}

/** Has money gone back, or is any to? There is nothing to keep of a payment that nobody touched. */
const isTouched = ({ refunds, disputes }: Facts): boolean => refunds > 0 || disputes.length > 0

/** A look at a charge, and what was kept of the one that was written last before it began. */
interface Look {
  readonly known: number | undefined
  readonly facts: Facts
}

export interface Facts extends ChargeFacts {
  readonly orderId: string | null
  /** How many refunds were asked for, those that failed too. */
  readonly refunds: number
  readonly disputes: readonly DisputeFacts[]
  /** Refunds that a withdrawal asked for. */
  readonly withdrawn: readonly WithdrawalRefund[]
  /** Refunds that the operator pressed for and that have not failed. */
  readonly pressed: readonly PressedRefund[]
  /** The same money in its parts, with the cards that each names, as the operator wrote them at the provider. */
  readonly parts: Parts
}

/** A refund of the operator's, as the provider keeps it. */
interface PressedRefund {
  readonly press: string
  /** Minor units. */
  readonly amount: number
  /** The card that it names; undefined where its order has one. */
  readonly cards: string | undefined
}

interface Part {
  readonly amount: number
  readonly named: string | undefined
}

interface Parts {
  readonly refunds: readonly Part[]
  /** The refunds in `withdrawn`. Those of earlier versions name no cards, and are of all of an order. */
  readonly withdrawn: readonly Part[]
  readonly losses: readonly Part[]
  readonly openDisputes: readonly Part[]
}

/** The charge as the provider describes it now. */
export async function factsOf(
  { stripe, log }: Pick<ReversalsDependencies, 'stripe' | 'log'>,
  chargeId: string,
): Promise<Facts> {
  const of = { charge: chargeId, limit: 100 }
  const [charge, refunds, disputes] = await asking(log, () =>
    Promise.all([
      stripe.charges.retrieve(chargeId),
      everyOne(stripe.refunds.list(of)),
      everyOne(stripe.disputes.list(of)),
    ]),
  )
  const described = disputes.map(disputeFacts)
  const made = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const part = ({ amount, metadata }: Pick<Stripe.Refund, 'amount' | 'metadata'>): Part => ({
    amount,
    named: namedCards(metadata),
  })
  const disputesWhere = (is: (state: DisputeFacts['state']) => boolean) =>
    disputes.filter((_, n) => is(described[n]!.state)).map(part)
  return {
    orderId: charge.metadata.order_id ?? null,
    refunds: refunds.length,
    refunded: sum(made),
    lostToDisputes: sum(described.filter(({ state }) => state === 'lost')),
    isDisputed: described.some(({ state }) => isDisputeOpen(state)),
    disputes: described,
    withdrawn: withdrawalRefunds(refunds),
    pressed: made.flatMap(({ amount, metadata }) =>
      metadata?.press === undefined ? [] : [{ press: metadata.press, amount, cards: namedCards(metadata) }],
    ),
    parts: {
      refunds: made.filter(({ metadata }) => metadata?.withdrawal === undefined).map(part),
      withdrawn: made.filter(({ metadata }) => metadata?.withdrawal !== undefined).map(part),
      losses: disputesWhere(state => state === 'lost'),
      openDisputes: disputesWhere(isDisputeOpen),
    },
  }
}

/** All pages of a list: a charge can be given back in any number of parts. */
function everyOne<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  return Array.fromAsync(list)
}

/** @returns false, with nothing written, where somebody else has written since the look */
async function write(
  deps: ReversalsDependencies,
  chargeId: string,
  { known, facts }: Look,
): Promise<boolean> {
  const done = await deps.db.transaction(
    async (trx): Promise<{ followed?: Followed | undefined } | undefined> => {
      const locked = await lockedOf(trx, facts)
      // What becomes of a payment that did not pay the order is no matter of its cards.
      if (!locked || (await isPaidByAnother(trx, locked.order.id, chargeId))) return {}
      const name = nameOfWritten(chargeId)
      if ((await sightedAt(trx, name)) !== known) return undefined
      const written = writtenLook(facts, known)
      if (written !== known && isTouched(facts)) await sight(trx, name, written)
      return { followed: await followLocked(trx, deps, locked, facts) }
    },
  )
  if (done) tell(deps.log, `charge ${chargeId}`, done.followed)
  return done !== undefined
}

/** What has to be said once the transaction stands. */
export interface Followed {
  readonly facts: LogFacts
  /** What a person has to look at. Their mails are kept with the transaction. */
  readonly alarms: readonly Alarm[]
}

type LogFacts = Readonly<Record<string, string | number>>

interface Alarm {
  readonly event: string
  readonly facts: LogFacts
}

/**
 * Makes the cards and the books of an order agree with what is known of its money.
 * @returns undefined where it has no cards, or nothing has changed
 */
export async function follow(
  trx: Writer,
  deps: Pick<ReversalsDependencies, 'keys' | 'clock' | 'log'>,
  facts: Facts,
): Promise<Followed | undefined> {
  const locked = await lockedOf(trx, facts)
  return locked && followLocked(trx, deps, locked, facts)
}

type Locked = Pick<Subject, 'order' | 'cards'>

/** The order and its cards, locked; undefined where it is none of ours, or has no cards. */
async function lockedOf(trx: Writer, { orderId }: Pick<Facts, 'orderId'>): Promise<Locked | undefined> {
  // Something else sold through the same account.
  if (orderId === null) return undefined
  const order = await orderById(trx, orderId)
  if (order && order.card_count > 1) await lockOrder(trx, orderId)
  const cards = order ? await lockCardsOfOrder(trx, order.kind, orderId) : []
  return order && cards.length > 0 ? { order, cards } : undefined
}

async function followLocked(
  trx: Writer,
  { keys, clock, log }: Pick<ReversalsDependencies, 'keys' | 'clock' | 'log'>,
  { order, cards }: Locked,
  facts: Facts,
): Promise<Followed | undefined> {
  await keepDisputes(trx, order.id, facts.disputes, clock())
  const statusOf = await statusesToWithdraw(trx, cards)
  const change = await writeTo(trx, keys, { cards, order, facts, statusOf, now: clock() })
  if (change.status === undefined) return undefined
  const told = toldOf(order, facts, change.status)
  const alarms = alarmsOf(order, change, told)
  // Said again, this changes nothing any more, so nobody would come to tell of it.
  for (const alarm of alarms) await log.queueAlarm?.(trx, alarm.event, alarm.facts)
  return { facts: told, alarms }
}

/** Says in the log what has changed. @param source whose money it is: `charge ch_1` */
export function tell(
  log: ReversalsDependencies['log'],
  source: string,
  followed: Followed | undefined,
): void {
  if (followed === undefined) return
  log.info('payment-reversed', followed.facts)
  for (const { event, facts } of followed.alarms) log.error(event, new Error(source), facts)
}

const toldOf = (order: Order, { refunded, lostToDisputes }: Facts, card: string) => ({
  order: order.id,
  currency: order.currency,
  paid: order.total_amount,
  refunded,
  disputed: lostToDisputes,
  card,
})

/** Where a person has to look. @param told what each of them says */
function alarmsOf(order: Order, change: Change, told: LogFacts): readonly Alarm[] {
  const { taken, lost, takenNow, failedRefund, frozen } = change
  const alarms: Alarm[] = []
  const add = (event: string, facts: LogFacts) => alarms.push({ event, facts: { ...told, ...facts } })
  // A person has to say which cards the money was for.
  if (frozen > 0) add('batch-reversed-in-part', { cards: frozen })
  if (failedRefund !== undefined) add('withdrawal-not-refunded', { amount: failedRefund })
  // Money went back that the card, or the product, still owes.
  if (lost > 0) add('payment-reversed-at-a-loss', { loss: lost })
  if (takenNow && order.kind === 'donation')
    add('card-reduced-by-dispute', { taken, left: order.ngo_amount - taken })
  return alarms
}

interface Subject {
  /** By their places in the order. */
  readonly cards: readonly (Card | VolunteeringCard)[]
  readonly order: Order
  readonly facts: Facts
  /** The state of a card as a withdrawal takes it. */
  statusOf(card: Pick<Card, 'id' | 'status'>): CardStatus
  readonly now: number
}

/** The changes; without a status if nothing changed. Amounts in minor units. */
interface Change {
  /** Of many cards every state that one of them has. */
  readonly status?: string
  /** By how much the product's loss has grown. */
  readonly lost: number
  /** What disputes have taken off the card in all, and whether it was another amount before. */
  readonly taken: number
  readonly takenNow: boolean
  /** The amount of the refund that a withdrawal asked for, where it has come back just now. */
  readonly failedRefund: number | undefined
  /** How many cards the operator holds from now on, as nobody knows which of them the money was for. */
  readonly frozen: number
}

/** What the provider says of each card. Of an order of one it is what it says of the charge. */
function factsOfEach(
  { cards, order, facts, statusOf }: Pick<Subject, 'cards' | 'order' | 'facts' | 'statusOf'>,
  unit: SaleAmounts,
): readonly ChargeFacts[] {
  if (cards.length === 1) return [facts]
  const states = cards.map(card => ({ status: statusOf(card) }))
  return factsOfCards(unit, states, backOf(order, facts))
}

/** What has not gone back of one card of an order, as the provider says it; minor units. */
export async function leftOfOneCard(
  db: Reader,
  order: Order,
  facts: Facts,
  position: number,
): Promise<number> {
  const cards = await cardsOfOrder(db, order.kind, order.id)
  const statusOf = await statusesToWithdraw(db, cards)
  const unit = saleOfEach(order)
  const own = factsOfEach({ cards, order, facts, statusOf }, unit)[position]
  return own === undefined ? 0 : totalOf(unit) - givenBack(own, unit)
}

function backOf({ card_count: count }: Order, { parts }: Facts): OrderBack {
  const named = ({ amount, named: text }: Part) => ({ amount, cards: readNamedCards(text, count) })
  return {
    refunds: parts.refunds.map(named),
    withdrawn: parts.withdrawn.map(named),
    losses: parts.losses.map(named),
    openDisputes: parts.openDisputes.map(named),
  }
}

/** Moves the cards of an order and books the difference to what is booked already. */
async function writeTo(trx: Writer, keys: Sealer, subject: Subject): Promise<Change> {
  const { cards, order, facts, now } = subject
  const sale = saleOf(order)
  const unit = saleOfEach(order)
  const each = factsOfEach(subject, unit)
  const known = await reversalOfOrder(trx, order.id)
  const before = known ?? { refunded: 0, lost: 0, taken: 0 }
  const { refunded, lostToDisputes: lost } = facts
  const isMoneyNew = refunded !== before.refunded || lost !== before.lost
  const withdrawals = await withdrawalsOf(trx, order.id)
  const moved: Withdrawal[] = []
  for (const withdrawal of withdrawals)
    moved.push(await followWithdrawal(trx, keys, { withdrawal, subject, each, unit }))
  const kept = cards.length === 1 ? undefined : await cardReversals(trx, order.id)
  const holds = isMoneyNew && isUnclear(unit, cards.length, backOf(order, facts))
  const booked = await bookedReversals(trx, order)
  let sets = booked.sets
  const of: CardChange[] = []
  for (const [n, card] of cards.entries()) {
    const own = kept?.get(card.id)
    const takenBefore = kept ? (own?.taken ?? 0) : before.taken
    const change = await writeToCard(trx, keys, {
      ...{ card, order, unit, takenBefore, now, statusOf: subject.statusOf },
      moved: moved.filter(withdrawal => isAbout(asEarlier(withdrawal), n)),
      facts: each[n]!,
      isOneOfMany: kept !== undefined,
      holds: holds && isUnused(card.status),
      booked: booked.of(cardInBooks(order.kind, card.id)),
    })
    of.push(change)
    if (kept)
      await keepCardReversal(trx, keys, { cardId: card.id, own, facts: each[n]!, taken: change.taken, now })
    const accounts = Object.entries(change.missing) as [keyof ReversalEntries, number][]
    if (accounts.every(([, amount]) => amount === 0)) continue
    await post(trx, {
      id: `${CAUSE}:${order.id}:${sets++}`,
      cause: CAUSE,
      cardId: cardInBooks(order.kind, card.id),
      orderId: order.id,
      at: now,
      entries: accounts.map(([account, amount]) => [
        accountOf(account, order),
        money(amount, order.currency),
      ]),
    })
  }
  const taken = of.reduce((total, change) => total + change.taken, 0)
  const takenNow = of.some(change => change.takenNow)
  // Of a dispute that was won the row tells when: its money comes back at the provider, and is read from there later.
  if (takenNow || of.some(({ isDisputeOver }) => isDisputeOver) || isMoneyNew) {
    const row = { refunded, lost, taken, updated_at: now }
    const sealed = { order_id: order.id, ...row, seal: null }
    const seal = known ? sealedAnew(keys, sealOfReversal, known, sealed) : sealOfReversal(keys, sealed)
    await trx
      .insertInto('reversals')
      .values({ ...sealed, seal })
      .onConflict(conflict => conflict.column('order_id').doUpdateSet({ ...row, seal }))
      .execute()
    await numberRefund(trx, { orderId: order.id, back: givenBack(facts, sale), at: now })
  }
  const failed = moved.filter(({ state }, n) => state === 'failed' && withdrawals[n]?.state !== 'failed')
  const failedRefund = failed.length === 0 ? undefined : sum(failed)
  // The books give back what was paid and no more: what the bank takes beside a refund is told of all the same.
  const beyond = (back: { refunded: number; lost: number }) =>
    Math.max(0, back.refunded + back.lost - totalOf(sale))
  const twice = Math.max(0, beyond({ refunded, lost }) - beyond(before))
  const isSame = of.every(({ isSame }) => isSame) && failedRefund === undefined && twice === 0
  const status = [...new Set(of.map(change => change.status))].join(', ')
  const loss = of.reduce((total, { missing }) => total + Math.max(0, -missing.losses), twice)
  const frozen = of.filter(({ isHeld }) => isHeld).length
  return { ...(!isSame && { status }), lost: loss, taken, takenNow, failedRefund, frozen }
}

interface CardSubject {
  readonly card: Card | VolunteeringCard
  readonly order: Order
  readonly facts: ChargeFacts
  readonly unit: SaleAmounts
  /** The withdrawals from it, as they are now. */
  readonly moved: readonly Withdrawal[]
  statusOf(card: Pick<Card, 'id' | 'status'>): CardStatus
  readonly isOneOfMany: boolean
  /** Does the operator hold it from now on? */
  readonly holds: boolean
  readonly takenBefore: number
  readonly booked: ReversalEntries
  readonly now: number
}

interface CardChange {
  readonly status: CardStatus
  readonly taken: number
  readonly takenNow: boolean
  readonly isDisputeOver: boolean
  readonly isHeld: boolean
  readonly isSame: boolean
  /** What the books do not say yet. */
  readonly missing: ReversalEntries
}

/** Moves one card. */
async function writeToCard(trx: Writer, keys: Sealer, subject: CardSubject): Promise<CardChange> {
  const { card, order, facts, unit, moved, isOneOfMany, statusOf, takenBefore, now } = subject
  const isDisputeOver = !facts.isDisputed && (await holdsOn(trx, card.id)).includes('dispute')
  await noteHold(trx, card.id, { reason: 'dispute', stands: facts.isDisputed, at: now })
  if (moved.length > 0) {
    const isUsed = isOneOfMany && isGiven(statusOf(card))
    const stands = !isUsed && moved.some(({ state, answer }) => holdsCard(state, answer))
    await noteHold(trx, card.id, { reason: 'withdrawal', stands, at: now })
  }
  const isHeld = subject.holds && !isWhollyBack(facts, unit)
  if (isHeld) await noteHold(trx, card.id, { reason: 'operator', stands: true, at: now })
  const status = statusFor(card.status, facts, unit, await holdsOn(trx, card.id))
  // What is back is held for nothing any more. Whatever makes it worth something again looks at the withdrawal first.
  if (isWhollyBack(facts, unit))
    for (const reason of HOLDS_OF_MONEY_BACK) await noteHold(trx, card.id, { reason, stands: false, at: now })
  const taken = takenOffCard(status, facts, unit, takenBefore)
  const takenNow = taken !== takenBefore
  if (status !== card.status || takenNow) {
    // An invitation holds no credit that a dispute could take.
    const credit = 'credit' in card && takenNow ? { credit: unit.ngo - taken } : {}
    const isLocked = await changeCard(trx, keys, order.kind, card, { status, ...credit })
    if (!isLocked) throw new Error('The card of a reversal is not locked')
    await queueHeldConfirmation(trx, order.kind, { card, status, now })
  }
  const after = { status: statusOf({ id: card.id, status }), isOneOfMany }
  const isAlone = moved.some(({ answer }) => isSupportAlone(answer, after))
  const isBack = isAlone && isSupportBack('support', supportLeft(facts, unit))
  const missing = difference(reversalOf(status, facts, unit, taken, isBack), subject.booked)
  const isBooked = Object.values(missing).every(amount => amount === 0)
  const isSame = isBooked && status === card.status && !takenNow
  return { status, taken, takenNow, isDisputeOver, isHeld, isSame, missing }
}

/** Moves a withdrawal to the state, and to the amount, that follow from the charge. @returns it as it is now */
async function followWithdrawal(
  trx: Writer,
  keys: Sealer,
  {
    withdrawal,
    subject: { cards, order, facts, statusOf, now },
    each,
    unit,
  }: {
    readonly withdrawal: Withdrawal
    readonly subject: Subject
    readonly each: readonly ChargeFacts[]
    readonly unit: SaleAmounts
  },
): Promise<Withdrawal> {
  const isOneOfMany = order.card_count > 1
  const answer = withdrawal.answer === 'support' ? 'support' : 'whole'
  const its = asEarlier(withdrawal)
  // What is left to give back: a dispute that was lost, or a refund by hand, has taken its part.
  const left = cards.reduce(
    (sum, card, n) =>
      isAbout(its, n)
        ? sum + leftOfCard(answer, { status: statusOf(card), isOneOfMany }, each[n]!, unit)
        : sum,
    0,
  )
  const refund = refundOf(withdrawal, facts.withdrawn)
  const news = { isBack: left === 0, isDisputed: facts.isDisputed, refund }
  const state = withdrawalAfter(withdrawal.state, news)
  const goesOn = isUnfinished(state)
  const set = {
    state,
    amount: goesOn ? left : withdrawal.amount,
    // A refunded amount is not asked for again. The rest is a refund of its own.
    attempt: withdrawal.attempt + (goesOn && refund === 'made' ? 1 : 0),
  }
  if (state === withdrawal.state && set.amount === withdrawal.amount) return withdrawal
  // Its order's cards are locked, and whoever changes a withdrawal locks that first.
  if (!(await changeWithdrawal(trx, keys, withdrawal, set, now)))
    throw new Error('The withdrawal of a reversal is not locked')
  const moved = { ...withdrawal, ...set }
  if (isTold(withdrawal.state, state)) await queueAcknowledgement(trx, moved, { cardId: cards[0]!.id, now })
  return moved
}

/** The facts about the money that went back, as they were known before. */
function reversalOfOrder(db: Reader, orderId: string): Promise<Selectable<ReversalsTable> | undefined> {
  return db.selectFrom('reversals').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** The rule of reversals says `cards` of what is owed for a gift, of whichever kind. */
function accountOf(account: keyof ReversalEntries, { kind }: Order): keyof ReversalEntries | 'volunteering' {
  return account === 'cards' ? GIFTS[kind].account : account
}

/** What the books say of the order's reversals so far, card by card as the books name them, and in how many sets. */
async function bookedReversals(
  db: Reader,
  order: Order,
): Promise<{ of(cardId: string | null): ReversalEntries; sets: number }> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['account', 'amount', 'set_id', 'card_id'])
    .where('order_id', '=', order.id)
    .where('cause', '=', CAUSE)
    .execute()
  const byCard = Map.groupBy(rows, ({ card_id: cardId }) => cardId)
  return {
    of(cardId) {
      const own = order.card_count === 1 ? rows : (byCard.get(cardId) ?? [])
      const entries: Record<string, number> = { ...NO_REVERSAL }
      for (const account of Object.keys(NO_REVERSAL) as (keyof ReversalEntries)[])
        entries[account] = sum(own.filter(row => row.account === accountOf(account, order)))
      return entries as unknown as ReversalEntries
    },
    sets: new Set(rows.map(({ set_id }) => set_id)).size,
  }
}

function sum(things: readonly { readonly amount: number }[]): number {
  return things.reduce((total, { amount }) => total + amount, 0)
}
