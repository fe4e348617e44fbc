import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { isAwaited, isSold } from '#domain/payment/order-states.ts'
import { isProblem } from '#domain/problems.ts'
import { lockCardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { invoiceOf } from '#server/modules/payments/invoices/stored.ts'
import { lockOrder, type Order, orderById } from '#server/modules/payments/orders.ts'
import { asking, isKeptForAnother, isRefusal } from '#server/modules/payments/provider.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { chargeOfOrder } from './charges.ts'
import type { WithdrawalParts } from './dependencies.ts'
import { closeUnpaid } from './follow.ts'
import { mayRefund, mustWaitForRefund, refundsDueOf, withdrawnOf } from './may-refund.ts'
import { refundKey, refundMark } from './refund-mark.ts'
import { changeWithdrawal, postpone, unfinished, type Withdrawal, withdrawalsOf } from './stored.ts'

const BATCH = 50

/**
 * Carries the withdrawals from an order as far as they go now: what the provider says first, then the refund of each, once,
 * then what the provider says of that. Safe to run at any time, anywhere, several at once.
 * Problems: provider-unavailable.
 */
export async function carryOut(parts: WithdrawalParts, orderId: string): Promise<void> {
  const { db, keys, clock, log } = parts
  const order = await db.read(reader => orderById(reader, orderId))
  if (!order || isAwaited(order.status)) return
  if (!isSold(order.status)) {
    return db.transaction(async trx => {
      for (const withdrawal of await withdrawalsOf(trx, orderId))
        if (withdrawal.state === 'waiting') await closeUnpaid(trx, keys, withdrawal, clock())
    })
  }
  // Money of an invoice goes back by a transfer that the treasurer makes, and says (invoices/acts.ts).
  if (await db.read(reader => invoiceOf(reader, orderId))) return alarmOfRefundsDue(parts, order)
  // An operator's refund that was under way then may be made after the provider was asked.
  const askedAt = clock()
  const chargeId = await chargeOfOrder(parts, order)
  // A refund that was asked for before the process died is found here, and a dispute that has begun or ended.
  if (chargeId === undefined || !(await isFollowed(parts, chargeId))) {
    log.error('withdrawal-without-charge', new Error('charge'), toldOf(order, order.total_amount))
    return
  }
  // One after the other, each as it is once the one before is done: its refund may have been all that there was.
  for (const { number } of await db.read(reader => withdrawalsOf(reader, orderId))) {
    // The row and its cards as they were at one moment: another server may carry it out meanwhile.
    const found = await db.snapshot(async reader => {
      const now = await withdrawalsOf(reader, orderId)
      const withdrawal = now.find(each => each.number === number)
      if (withdrawal?.state !== 'refunding') return undefined
      const withdrawn = await withdrawnOf(reader, order, withdrawal)
      // The next run of the job asks for it.
      if (await mustWaitForRefund(reader, withdrawn, askedAt)) return undefined
      return { withdrawal, mayGo: await mayRefund(reader, keys, withdrawn, withdrawal) }
    })
    if (found === undefined) continue
    const { withdrawal, mayGo } = found
    if (!mayGo) {
      log.error('withdrawal-not-ours', new Error('seal'), toldOf(order, withdrawal.amount))
      continue
    }
    await askRefund(parts, { order, withdrawal, chargeId })
    await applyReversals(parts, chargeId)
  }
}

/**
 * Tells the operator that money of an invoice has to be transferred back, each day until that is done: the mail of an alarm
 * may never have been queued, and nobody else asks for it. Nobody is asked to transfer what another hand has written.
 */
async function alarmOfRefundsDue(parts: WithdrawalParts, order: Order): Promise<void> {
  const { db, keys, clock, log } = parts
  const due = await db.snapshot(reader => refundsDueOf(reader, keys, order))
  for (const { withdrawal, isOurs } of due) {
    const { number, attempt, amount } = withdrawal
    const alarm = isOurs ? 'invoice-refund-due' : 'withdrawal-not-ours'
    const name = [alarm, order.id, number, attempt].join(':')
    const told = await db.read(reader => sightedAt(reader, name))
    // Whatever the clocks say: one that was ahead silences it for no longer.
    if (told !== undefined && Math.abs(clock() - told) < DAY_MS) continue
    const facts = { ...toldOf(order, amount), withdrawal: number }
    await db.transaction(async trx => {
      await log.queueAlarm?.(trx, alarm, facts)
      await sight(trx, name, clock())
    })
    log.error(alarm, new Error('transfer'), facts)
  }
}

/** Makes the card follow its charge. @returns false where the provider does not know that charge: another account, say */
async function isFollowed(parts: WithdrawalParts, chargeId: string): Promise<boolean> {
  try {
    await applyReversals(parts, chargeId)
    return true
  } catch (error) {
    if (isProblem(error) && error.code === 'payment-not-found') return false
    throw error
  }
}

/** What an alarm says of an order. @param amount minor units */
const toldOf = ({ id, currency }: Order, amount: number) => ({ order: id, amount, currency })

interface Asked {
  readonly order: Order
  readonly withdrawal: Withdrawal
  readonly chargeId: string
}

async function askRefund(parts: WithdrawalParts, { order, withdrawal, chargeId }: Asked): Promise<void> {
  const { stripe, db, keys, clock, log } = parts
  const charge = await asking(log, () => stripe.charges.retrieve(chargeId))
  const isOurs =
    charge.metadata.order_id === order.id &&
    charge.currency === order.currency.toLowerCase() &&
    charge.amount === order.total_amount
  if (!isOurs) {
    log.error('withdrawal-not-ours', new Error('charge'), toldOf(order, withdrawal.amount))
    return
  }
  try {
    await stripe.refunds.create(
      { charge: chargeId, amount: withdrawal.amount, metadata: refundMark(withdrawal) },
      { idempotencyKey: refundKey(withdrawal) },
    )
  } catch (error) {
    const isKept = isKeptForAnother(error)
    if (!isRefusal(error) && !isKept) return asking(log, () => Promise.reject(error))
    // Another amount was asked for under this key. A refund that came of it, or comes of it at this moment, is found by its mark, and the
    // withdrawal goes on from there. Else it was refused, and nobody heard of that: the next try is under another key.
    if (isKept) {
      if (Math.abs(clock() - withdrawal.changed_at) < MINUTE_MS) return
      await applyReversals(parts, chargeId)
    }
    // The provider keeps its refusal under the key: the next try needs another one. Why it refused may be a part that went back
    // meanwhile, so that the amount is another one by now: then the next try is for that, and the operator has nothing to look at.
    const isStillDue = await db.transaction(async trx => {
      await lockOrder(trx, order.id)
      await lockCardsOfOrder(trx, order.kind, order.id)
      const now = (await withdrawalsOf(trx, order.id)).find(({ number }) => number === withdrawal.number)
      if (now?.state !== withdrawal.state || now.attempt !== withdrawal.attempt) return false
      await changeWithdrawal(trx, keys, now, { attempt: now.attempt + 1 }, clock())
      return !isKept && now.amount === withdrawal.amount
    })
    if (isStillDue)
      log.error(
        'withdrawal-not-refunded',
        new Error(error.code ?? error.type),
        toldOf(order, withdrawal.amount),
      )
  }
}

/**
 * Ends what a crash, or a provider that did not answer, left between a withdrawal and its refund, and looks whether
 * what withdrawals wait for is over. For a periodic job. @returns how many were looked at
 * @throws the first failure, once all others were looked at, so that the job fails; at once where the provider is away
 */
export async function finishWithdrawals(parts: WithdrawalParts): Promise<number> {
  const { db, log, clock } = parts
  // Each is looked at once in a run, whatever becomes of it.
  const seen = new Set<string>()
  const failures: unknown[] = []
  for (;;) {
    const some = await db.read(reader => unfinished(reader, [...seen], BATCH))
    for (const orderId of some) {
      seen.add(orderId)
      try {
        await carryOut(parts, orderId)
      } catch (error) {
        log.error('withdrawal-not-carried-out', error, { order: orderId })
        // A withdrawal without an answer from the provider goes last the next time.
        await postpone(db, orderId, clock())
        if (isProblem(error) && error.code === 'provider-unavailable') throw error
        failures.push(error)
      }
    }
    if (some.length > 0) continue
    if (failures.length > 0) throw failures[0]
    return seen.size
  }
}
