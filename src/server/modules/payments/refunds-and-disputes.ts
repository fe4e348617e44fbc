import type { Selectable } from 'kysely'
import type Stripe from 'stripe'
import { GIFTS } from '#domain/card/gifts.ts'
import type { CardStatus } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import {
  type ChargeFacts,
  difference,
  givenBack,
  NO_REVERSAL,
  type ReversalEntries,
  reversalOf,
  type SaleAmounts,
  statusFor,
  supportLeft,
  takenOffCard,
  totalOf,
} from '#domain/money/reversal.ts'
import { isDisputeOpen } from '#domain/payment/dispute-states.ts'
import {
  holdsCard,
  isSupportBack,
  isTold,
  isUnfinished,
  withdrawalAfter,
} from '#domain/withdrawal/withdrawal.ts'
import { queueHeldConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import { holdsOn, noteHold } from '#server/modules/gifts/holds.ts'
import { type Card, changeCard, lockCard } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { post } from '#server/modules/ledger/post.ts'
import { numberRefund } from '#server/modules/ledger/receipts.ts'
import { cardInBooks } from '#server/modules/ledger/record.ts'
import { type Sealer, sealedAnew, sealOfReversal } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ReversalsTable, VolunteeringCard } from '#server/platform/db/schema.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { type DisputeFacts, disputeFacts, keepDisputes } from './keep-disputes.ts'
import { type Order, orderById } from './orders.ts'
import { asking } from './provider.ts'
import { queueAcknowledgement } from './withdrawals/follow.ts'
import { refundOf, type WithdrawalRefund, withdrawalRefunds } from './withdrawals/refund-mark.ts'
import { changeWithdrawal, type Withdrawal, withdrawalOf } from './withdrawals/stored.ts'

const CAUSE = 'reversal'
/** Asking again until nothing changed; a charge that changes this often within a second is a provider gone mad. */
const ROUNDS = 5

export type ReversalsDependencies = Pick<PaymentsDependencies, 'db' | 'clock' | 'stripe' | 'keys' | 'log'>

/**
 * Makes a card and the books agree with its charge as it is now: refunds, refunds that failed, disputes opened,
 * won and lost (product.md#states). Events only say that something may have changed; they repeat and arrive in any
 * order, so the state comes from the provider, and what was written is compared with a second look afterwards:
 * of two that run at once, the one that writes last has looked last.
 */
export async function applyReversals(deps: ReversalsDependencies, chargeId: string): Promise<void> {
  let facts = await factsOf(deps, chargeId)
  for (let round = 0; round < ROUNDS; round++) {
    await write(deps, chargeId, facts)
    const now = await factsOf(deps, chargeId)
    if (JSON.stringify(now) === JSON.stringify(facts)) return
    facts = now
  }
}

export interface Facts extends ChargeFacts {
  readonly orderId: string | null
  /** How many refunds were asked for, those that failed too. */
  readonly refunds: number
  readonly disputes: readonly DisputeFacts[]
  /** Refunds that a withdrawal asked for. */
  readonly withdrawn: readonly WithdrawalRefund[]
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
  return {
    orderId: charge.metadata.order_id ?? null,
    refunds: refunds.length,
    refunded: sum(refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled')),
    lostToDisputes: sum(described.filter(({ state }) => state === 'lost')),
    isDisputed: described.some(({ state }) => isDisputeOpen(state)),
    disputes: described,
    withdrawn: withdrawalRefunds(refunds),
  }
}

/** All pages of a list: a charge can be given back in any number of parts. */
function everyOne<T>(list: Stripe.ApiListPromise<T>): Promise<T[]> {
  return Array.fromAsync(list)
}

async function write(deps: ReversalsDependencies, chargeId: string, facts: Facts): Promise<void> {
  const { db, log, clock } = deps
  const { orderId } = facts
  // Something else sold through the same account.
  if (orderId === null) return
  const change = await db.transaction(async trx => {
    const order = await orderById(trx, orderId)
    const card = order && (await lockCard(trx, order.kind, 'order_id', orderId))
    if (!card) return undefined
    await keepDisputes(trx, orderId, facts.disputes, clock())
    return { order, ...(await writeTo(trx, deps.keys, { card, order, facts, now: clock() })) }
  })
  if (change?.status === undefined) return
  const { order, status, taken, lost, takenNow, failedRefund } = change
  const { currency, total_amount: paid, kind } = order
  const told = { order: orderId, currency, paid, refunded: facts.refunded, disputed: facts.lostToDisputes }
  log.info('payment-reversed', { ...told, card: status })
  if (failedRefund !== undefined) {
    log.error('withdrawal-not-refunded', new Error(`charge ${chargeId}`), {
      ...told,
      amount: failedRefund,
      card: status,
    })
  }
  if (lost > 0) {
    // A person has to look: money went back that the card, or the product, still owes.
    log.error('payment-reversed-at-a-loss', new Error(`charge ${chargeId}`), {
      ...told,
      loss: lost,
      card: status,
    })
  }
  if (takenNow && kind === 'donation') {
    const left = order.ngo_amount - taken
    log.error('card-reduced-by-dispute', new Error(`charge ${chargeId}`), {
      ...told,
      taken,
      left,
      card: status,
    })
  }
}

interface Subject {
  readonly card: Card | VolunteeringCard
  readonly order: Order
  readonly facts: Facts
  readonly now: number
}

/** The changes; without a status if nothing changed. Amounts in minor units. */
interface Change {
  readonly status?: CardStatus
  /** By how much the product's loss has grown. */
  readonly lost: number
  /** What disputes have taken off the card in all, and whether it was another amount before. */
  readonly taken: number
  readonly takenNow: boolean
  /** The amount of the refund that a withdrawal asked for, where it has come back just now. */
  readonly failedRefund: number | undefined
}

/** Moves the card and books the difference to what is booked already. */
async function writeTo(trx: Writer, keys: Sealer, { card, order, facts, now }: Subject): Promise<Change> {
  const sale = saleOf(order)
  const known = await reversalOfOrder(trx, order.id)
  const before = known ?? { refunded: 0, lost: 0, taken: 0 }
  const withdrawal = await withdrawalOf(trx, order.id)
  const moved =
    withdrawal && (await followWithdrawal(trx, keys, { withdrawal, cardId: card.id, facts, sale, now }))
  const isDisputeOver = !facts.isDisputed && (await holdsOn(trx, card.id)).includes('dispute')
  await noteHold(trx, card.id, { reason: 'dispute', stands: facts.isDisputed, at: now })
  if (moved) {
    const stands = holdsCard(moved.state, moved.answer)
    await noteHold(trx, card.id, { reason: 'withdrawal', stands, at: now })
  }
  const status = statusFor(card.status, facts, sale, await holdsOn(trx, card.id))
  // What is back is held for nothing any more. Whatever makes it worth something again looks at the withdrawal first.
  if (status === 'revoked') await noteHold(trx, card.id, { reason: 'withdrawal', stands: false, at: now })
  const taken = takenOffCard(status, facts, sale, before.taken)
  const takenNow = taken !== before.taken
  if (status !== card.status || takenNow) {
    // An invitation holds no credit that a dispute could take.
    const credit = 'credit' in card && takenNow ? { credit: sale.ngo - taken } : {}
    const isLocked = await changeCard(trx, keys, order.kind, card, { status, ...credit })
    if (!isLocked) throw new Error('The card of a reversal is not locked')
    await queueHeldConfirmation(trx, order.kind, { card, status, now })
  }
  const booked = await bookedReversals(trx, order)
  const missing = difference(
    reversalOf(status, facts, sale, taken, isSupportBack(moved?.answer, supportLeft(facts, sale))),
    booked.entries,
  )
  const accounts = Object.entries(missing) as [keyof ReversalEntries, number][]
  const isBooked = accounts.every(([, amount]) => amount === 0)
  const { refunded, lostToDisputes: lost } = facts
  // Of a dispute that was won the row tells when: its money comes back at the provider, and is read from there later.
  if (takenNow || isDisputeOver || refunded !== before.refunded || lost !== before.lost) {
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
  if (!isBooked) {
    await post(trx, {
      id: `${CAUSE}:${order.id}:${booked.sets}`,
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
  const failedRefund = moved?.state === 'failed' && withdrawal?.state !== 'failed' ? moved.amount : undefined
  // The books give back what was paid and no more: what the bank takes beside a refund is told of all the same.
  const beyond = (back: { refunded: number; lost: number }) =>
    Math.max(0, back.refunded + back.lost - totalOf(sale))
  const twice = Math.max(0, beyond({ refunded, lost }) - beyond(before))
  const isSame = isBooked && status === card.status && !takenNow && failedRefund === undefined && twice === 0
  const loss = Math.max(0, -missing.losses) + twice
  return { ...(!isSame && { status }), lost: loss, taken, takenNow, failedRefund }
}

/** Moves a withdrawal to the state, and to the amount, that follow from the charge. @returns it as it is now */
async function followWithdrawal(
  trx: Writer,
  keys: Sealer,
  {
    withdrawal,
    cardId,
    facts,
    sale,
    now,
  }: {
    readonly withdrawal: Withdrawal
    readonly cardId: string
    readonly facts: Facts
    readonly sale: SaleAmounts
    readonly now: number
  },
): Promise<Withdrawal> {
  // What is left to give back: a dispute that was lost, or a refund by hand, has taken its part.
  const left =
    withdrawal.answer === 'support' ? supportLeft(facts, sale) : totalOf(sale) - givenBack(facts, sale)
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
  // Its order's card is locked, and whoever changes a withdrawal locks that first.
  if (!(await changeWithdrawal(trx, keys, withdrawal, set, now)))
    throw new Error('The withdrawal of a reversal is not locked')
  const moved = { ...withdrawal, ...set }
  if (isTold(withdrawal.state, state)) await queueAcknowledgement(trx, moved, { cardId, now })
  return moved
}

/** The facts about the money that went back, as they were known before. */
function reversalOfOrder(db: Reader, orderId: string): Promise<Selectable<ReversalsTable> | undefined> {
  return db.selectFrom('reversals').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** The tax is what the order was quoted with: its share may be another one by now. */
export function saleOf(order: Order): SaleAmounts {
  const { price, net, tax } = amountsOf(order)
  return { ngo: price.amount, net: net.amount, tax: tax.amount }
}

/** The rule of reversals says `cards` of what is owed for a gift, of whichever kind. */
function accountOf(account: keyof ReversalEntries, { kind }: Order): keyof ReversalEntries | 'volunteering' {
  return account === 'cards' ? GIFTS[kind].account : account
}

/** What the books say of the order's reversals so far, and in how many sets. */
async function bookedReversals(
  db: Reader,
  order: Order,
): Promise<{ entries: ReversalEntries; sets: number }> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['account', 'amount', 'set_id'])
    .where('order_id', '=', order.id)
    .where('cause', '=', CAUSE)
    .execute()
  const entries: Record<string, number> = { ...NO_REVERSAL }
  for (const account of Object.keys(NO_REVERSAL) as (keyof ReversalEntries)[])
    entries[account] = sum(rows.filter(row => row.account === accountOf(account, order)))
  return {
    entries: entries as unknown as ReversalEntries,
    sets: new Set(rows.map(({ set_id }) => set_id)).size,
  }
}

function sum(things: readonly { readonly amount: number }[]): number {
  return things.reduce((total, { amount }) => total + amount, 0)
}
