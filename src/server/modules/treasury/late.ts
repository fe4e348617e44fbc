import type Stripe from 'stripe'
import { isRefundUnderWay } from '#domain/card/holds.ts'
import { OPEN_DISPUTE_STATES } from '#domain/payment/dispute-states.ts'
import { cardsHeld, type HeldByRefund, heldByRefunds, nameOfFollowed } from '#server/modules/gifts/holds.ts'
import {
  type AwaitedMovement,
  awaitedMovements,
  keepAwaited,
} from '#server/modules/ledger/awaited-movements.ts'
import { ordersMovedOtherwise } from '#server/modules/ledger/orders-moved.ts'
import { invoiceOf } from '#server/modules/payments/invoices/stored.ts'
import { type Order, orderById } from '#server/modules/payments/orders.ts'
import { asking, isNobodyThere, providerIdOf } from '#server/modules/payments/provider.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import { chargeOfOrder } from '#server/modules/payments/withdrawals/charges.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sight } from '#server/platform/db/sightings.ts'
import type { TreasuryDependencies } from './dependencies.ts'
import { knownMovements, takeMovement } from './take.ts'

/**
 * Looks after the orders of which something else moved than the books say. Those with an undecided dispute are among them: a
 * dispute that is lost moves nothing more, and its event may be lost as well. So are those of a card that a refund holds: one
 * that waits for money in the balance has moved nothing yet. The provider is asked for the order's charge, its refunds and its
 * disputes. Every movement that they name is booked, where the list did not tell of it in its time. Which movements the
 * provider itself has not made yet is kept: by that the check of the books tells what is on its way from what is wrong.
 * Problems: provider-unavailable; temporarily-unavailable.
 * @param until until when the provider's list was read, epoch ms UTC
 * @param goOn called between two orders, and waited for
 * @returns how many movements were booked
 */
export async function readLate(
  deps: TreasuryDependencies,
  until: number,
  goOn: () => Promise<void>,
): Promise<number> {
  const { db, log, clock } = deps
  const now = clock()
  const { ids, held } = await db.read(async reader => {
    const amiss = (await ordersMovedOtherwise(reader, { until })).filter(({ isSold }) => isSold)
    const undecided = await reader
      .selectFrom('disputes')
      .select('order_id')
      .where('state', 'in', OPEN_DISPUTE_STATES)
      .orderBy('id')
      .execute()
    const held = await heldByRefunds(reader)
    const ids = new Set([
      ...(await awaitedMovements(reader)).keys(),
      ...amiss.map(({ id }) => id),
      ...undecided.map(({ order_id }) => order_id),
      ...held.map(({ order }) => order),
    ])
    return { ids, held }
  })
  // One that is under way may be made after its order was asked about.
  const leftOver = held.filter(({ since }) => !isRefundUnderWay(since, now))
  let booked = 0
  for (const id of ids) {
    try {
      const order = await db.read(reader => orderById(reader, id))
      const read = order && (await readOrder(deps, order))
      booked += read?.booked ?? 0
      if (read?.isKnown)
        await keepFollowed(
          db,
          leftOver.filter(each => each.order === id),
        )
    } catch (error) {
      if (isNobodyThere(error)) throw error
      // One order that nobody can follow keeps no other from being read; `check` names it.
      log.error('late-movement-not-read', error, { order: id })
    }
    await goOn()
  }
  return booked
}

/** Keeps about which left-over refunds the provider was asked: a release at the terminal, which asks nobody, ends those alone. */
async function keepFollowed(db: Database, leftOver: readonly HeldByRefund[]): Promise<void> {
  if (leftOver.length === 0) return
  await db.transaction(async trx => {
    const now = await cardsHeld(
      trx,
      leftOver.map(({ card }) => card),
      'refund',
    )
    for (const { card, since } of leftOver)
      if (now.get(card) === since) await sight(trx, nameOfFollowed(card), since)
  })
}

/** What came of reading an order: how many movements were booked, and whether all that can be known of its refunds is. */
interface ReadOrder {
  readonly booked: number
  readonly isKnown: boolean
}

async function readOrder(deps: TreasuryDependencies, order: Order): Promise<ReadOrder> {
  const { db, stripe, log, clock } = deps
  const keep = (awaited: readonly AwaitedMovement[]) =>
    db.transaction(trx => keepAwaited(trx, order.id, awaited, clock()))
  const chargeId = await chargeOfOrder(deps, order)
  if (chargeId === undefined) {
    // Nothing can be on its way of what the provider does not know.
    await keep([])
    // Of an invoice the treasurer says what went back. Of any other payment the provider may be another one by now.
    return { booked: 0, isKnown: (await db.read(reader => invoiceOf(reader, order.id))) !== undefined }
  }
  // The books follow the charge first: the event may be what was lost.
  await applyReversals(deps, chargeId)
  const of = { charge: chargeId, limit: 100 }
  const [charge, refunds, disputes] = await asking(log, () =>
    Promise.all([
      stripe.charges.retrieve(chargeId),
      Array.fromAsync(stripe.refunds.list(of)),
      Array.fromAsync(stripe.disputes.list(of)),
    ]),
  )
  const named = [
    charge.balance_transaction,
    ...refunds.flatMap(refund => [refund.balance_transaction, refund.failure_balance_transaction]),
    ...disputes.flatMap(dispute => dispute.balance_transactions),
  ].flatMap(each => providerIdOf(each) ?? [])
  const known = await db.read(reader => knownMovements(reader, named))
  const followed = new Set([chargeId])
  let booked = 0
  for (const id of named) {
    if (known.has(id)) continue
    const told = await asking(log, () => stripe.balanceTransactions.retrieve(id, { expand: ['source'] }))
    if (await takeMovement(deps, told, followed)) booked++
  }
  await keep(awaitedOf(order.id, { charge, refunds, disputes }))
  return { booked, isKnown: true }
}

interface OfCharge {
  readonly charge: Stripe.Charge
  readonly refunds: readonly Stripe.Refund[]
  readonly disputes: readonly Stripe.Dispute[]
}

/** Disputes whose money comes back, once it was taken. */
const GIVEN_BACK = ['won', 'warning_closed', 'prevented']

/** What by its state is to move the balance, and names no movement yet. */
function awaitedOf(orderId: string, { charge, refunds, disputes }: OfCharge): readonly AwaitedMovement[] {
  const awaited: AwaitedMovement[] = []
  const add = (sourceId: string, amount: number, isOfDispute: boolean) =>
    awaited.push({ orderId, sourceId, amount, isOfDispute })
  if (charge.status === 'succeeded' && charge.balance_transaction === null)
    add(charge.id, charge.amount, false)
  for (const {
    id,
    amount,
    status,
    balance_transaction: left,
    failure_balance_transaction: back,
  } of refunds) {
    const isOff = status === 'failed' || status === 'canceled'
    if (!isOff && !left) add(id, -amount, false)
    if (isOff && left && !back) add(id, amount, false)
  }
  for (const { id, amount, status, balance_transactions: moved } of disputes) {
    const isTaken = moved.some(each => each.amount < 0)
    const isBack = moved.some(each => each.amount > 0)
    if (status === 'lost' && !isTaken) add(id, -amount, true)
    if (GIVEN_BACK.includes(status) && isTaken && !isBack) add(id, amount, true)
  }
  return awaited
}
