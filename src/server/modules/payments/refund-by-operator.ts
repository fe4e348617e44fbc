import {
  type ActRefusal,
  type RefundAsked,
  type Refundable,
  type RefundCall,
  refundRefusal,
} from '#domain/desk/acts.ts'
import { givenBack, totalOf } from '#domain/money/reversal.ts'
import { isSold } from '#domain/payment/order-states.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import { isUnfinished } from '#domain/withdrawal/withdrawal.ts'
import { saleOf } from '#server/modules/ledger/order-amounts.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { factsOfInvoice, giveBackInvoiced } from './invoices/refunds.ts'
import { invoiceOf, isInvoiceOf } from './invoices/stored.ts'
import { nameCards } from './named-cards.ts'
import { lockOrder, type Order, orderById } from './orders.ts'
import { asking, isKeptForAnother, isRefusal } from './provider.ts'
import {
  applyReversals,
  type Facts,
  factsOf,
  leftOfOneCard,
  type ReversalsDependencies,
} from './refunds-and-disputes.ts'
import { chargeOfOrder } from './withdrawals/charges.ts'
import { withdrawalsOf } from './withdrawals/stored.ts'

/** What may be given back of an order now, as the payment provider says it; undefined where it knows of no payment. */
async function refundableOf(deps: ReversalsDependencies, orderId: string, number: number | undefined) {
  const order = await deps.db.read(reader => orderById(reader, orderId))
  if (!order || !isSold(order.status)) return undefined
  const charge = await chargeOfOrder(deps, order)
  if (charge === undefined) return undefined
  // Before the provider is asked: what a withdrawal that is over by now gave back is in its answer, and one that begins
  // later finds this refund under way and waits. Looked at afterwards, one that ended meanwhile would be in neither.
  const isWithdrawn = await deps.db.read(reader => isBeingWithdrawn(reader, orderId))
  const facts = await factsOf(deps, charge).catch((error: unknown) => {
    // Of another account, say: nobody can give it back from here.
    if (isProblem(error) && error.code === 'payment-not-found') return undefined
    throw error
  })
  if (facts === undefined) return undefined
  // A charge that says another order is not ours to give back, whatever our row says.
  if (facts.orderId !== order.id) return undefined
  const now = await deps.db.read(reader => refundableNow(reader, order, facts, number))
  return { order, charge, now: { ...now, isWithdrawn }, refunds: facts.refunds, pressed: facts.pressed }
}

/** Is work left to do of a withdrawal from an order? */
const isBeingWithdrawn = async (db: Reader, orderId: string): Promise<boolean> =>
  (await withdrawalsOf(db, orderId)).some(({ state }) => isUnfinished(state))

async function refundableNow(
  db: Reader,
  order: Order,
  facts: Facts,
  number: number | undefined,
): Promise<Omit<Refundable, 'isWithdrawn'>> {
  return {
    left: totalOf(saleOf(order)) - givenBack(facts, saleOf(order)),
    currency: order.currency,
    isDisputed: facts.isDisputed,
    ...(number !== undefined && { leftOfCard: await leftOfOneCard(db, order, facts, number - 1) }),
  }
}

/**
 * The same of an invoice: it notes what the operator transfers, so that nothing can be asked of a provider. Orders are locked,
 * and looked at again behind the lock.
 */
async function refundInvoiced(
  deps: ReversalsDependencies,
  orderId: string,
  asked: RefundAsked,
  number: number | undefined,
): Promise<ActRefusal | undefined> {
  const done = await deps.db.transaction(async (trx): Promise<ActRefusal | (() => void)> => {
    const order = await lockOrder(trx, orderId)
    const invoice = await invoiceOf(trx, orderId)
    const isOurs = invoice?.state === 'paid' && isInvoiceOf(deps.keys, invoice, order)
    if (!isSold(order.status) || !isOurs) return 'nothing-paid'
    const facts = await factsOfInvoice(trx, deps.keys, orderId)
    const isWithdrawn = await isBeingWithdrawn(trx, orderId)
    const refusal = refundRefusal(asked, { ...(await refundableNow(trx, order, facts, number)), isWithdrawn })
    if (refusal !== undefined) return refusal
    const cards = number === undefined ? null : String(number)
    return giveBackInvoiced(trx, deps, order, { amount: asked.amount, cards })
  })
  if (typeof done === 'string') return done
  done()
  return undefined
}

/**
 * Gives back a payment, whole or in part, and makes card and books follow. The same look and amount are one refund,
 * however often and from wherever it is asked for: what was given back before is in the provider's key. Card and books follow
 * where it is refused, too: whoever holds the card meanwhile ends that as soon as there is an answer.
 * @returns why it was refused, by our rules or by the provider. Problem provider-unavailable.
 */
export async function refundByOperator(
  deps: ReversalsDependencies,
  orderId: string,
  asked: RefundAsked,
  { number, refusedAt, press, stands }: Partial<RefundCall> = {},
): Promise<ActRefusal | undefined> {
  if (await deps.db.read(reader => invoiceOf(reader, orderId)))
    return refundInvoiced(deps, orderId, asked, number)
  const found = await refundableOf(deps, orderId, number)
  if (found === undefined) return 'nothing-paid'
  const { charge, now, refunds, pressed } = found
  // Why it is refused may be money that went back and of which no event has come, such as by a refund whose answer was lost.
  const refuse = (why: ActRefusal): Promise<ActRefusal> => applyReversals(deps, charge).then(() => why)
  const cards = number === undefined ? undefined : String(number)
  // Its answer was lost, or its process died: the same press is not paid again.
  if (pressed.some(each => each.press === press && each.amount === asked.amount && each.cards === cards)) {
    await applyReversals(deps, charge)
    return undefined
  }
  const refusal = refundRefusal(asked, now)
  if (refusal !== undefined) return refuse(refusal)
  if (stands && !(await stands())) return refuse('changed')
  try {
    await deps.stripe.refunds.create(
      {
        charge,
        amount: asked.amount,
        metadata: {
          operator: orderId,
          ...(press !== undefined && { press }),
          ...(cards !== undefined && nameCards(cards)),
        },
      },
      {
        idempotencyKey: [
          'operator',
          orderId,
          refunds,
          now.left,
          asked.amount,
          ...(number === undefined ? [] : [number]),
          ...(refusedAt === undefined ? [] : [`after ${refusedAt}`]),
        ].join(':'),
      },
    )
  } catch (error) {
    // Another press saw the same and asked for as much: it was refused, and nobody heard of that, or it was made at this moment.
    if (isRefusal(error) || isKeptForAnother(error)) {
      deps.log.info('operator-not-refunded', { order: orderId, code: error.code ?? error.type })
      return refuse('provider-refused')
    }
    return asking(deps.log, () => Promise.reject(error))
  }
  await applyReversals(deps, charge)
  return undefined
}

/**
 * Makes card and books follow what the provider says of an order's payment; of an invoice nobody is asked.
 * Problems: provider-unavailable; payment-not-found where the provider knows of none, perhaps of another account.
 */
export async function followPayment(deps: ReversalsDependencies, orderId: string): Promise<void> {
  const order = await deps.db.read(reader => orderById(reader, orderId))
  const charge = order && (await chargeOfOrder(deps, order))
  if (charge !== undefined) return applyReversals(deps, charge)
  if (!(await deps.db.read(reader => invoiceOf(reader, orderId)))) throw new Problem('payment-not-found')
}
