import { balanceOfFailedRefund, balanceOfRefund } from './balance.ts'
import { type Bank, DELAYS } from './bank.ts'
import { missing, refuse } from './errors.ts'
import {
  type Charge,
  complete,
  type Dispute,
  type Metadata,
  type PaymentIntent,
  type Refund,
} from './objects.ts'
import { cardOf } from './payments.ts'
import type { Params } from './validate.ts'

const IMITATED = ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']

/** The rules of a refund request that need no look at the charge. */
export function checkRefundRequest(params: Params): void {
  for (const key of Object.keys(params))
    if (!IMITATED.includes(key)) refuse(`The local payments double does not imitate "${key}".`, key)
  if (params.charge === undefined && params.payment_intent === undefined)
    refuse(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'charge',
      'parameter_missing',
    )
  if (params.amount !== undefined && (params.amount as number) < 1)
    refuse('This value must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer')
}

/** Refunds a charge, wholly or in part; how it goes on depends on the test card. */
export function createRefund(bank: Bank, params: Params): Refund {
  const charge = chargeFor(bank, params)
  const disputed = chargedBack(bank, charge)
  const left = charge.amount - charge.amount_refunded - disputed
  if (disputed > 0 && left <= 0)
    refuse(`Charge ${charge.id} has been charged back; cannot issue a refund.`, undefined, 'charge_disputed')
  if (left === 0)
    refuse(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded')
  const amount = (params.amount as number | undefined) ?? left
  if (amount > left)
    refuse(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount')

  const course = cardOf(bank, charge.payment_method).refund
  const asked = complete<Refund>({
    id: bank.newId('re_'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: bank.now(),
    currency: charge.currency,
    metadata: (params.metadata as Metadata | null | undefined) ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    status: course === 'pending' ? 'pending' : 'succeeded',
  })
  bank.store.add(asked)
  const refund = balanceOfRefund(bank, asked)
  bank.emit('refund.created', refund)
  bank.emit('charge.refunded', changeRefunded(bank, charge, amount))
  if (course) bank.later(DELAYS.refundResultMs, 'refund-result', refund.id)
  return refund
}

/** The task when a slow refund arrives, or an accepted one comes back. */
export function settleRefund(bank: Bank, id: string): void {
  const refund = bank.store.get<Refund>('refund', id)!
  if (refund.status === 'pending') {
    const arrived: Refund = { ...refund, status: 'succeeded' }
    bank.store.save(arrived)
    bank.emit('refund.updated', arrived)
    bank.emit('charge.refund.updated', arrived)
    return
  }
  const failed = balanceOfFailedRefund(bank, {
    ...refund,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  })
  bank.store.save(failed)
  changeRefunded(bank, bank.store.get<Charge>('charge', refund.charge)!, -refund.amount)
  for (const type of ['refund.updated', 'charge.refund.updated', 'refund.failed']) bank.emit(type, failed)
}

/** What disputes that were not won hold back of a charge. */
function chargedBack(bank: Bank, { id }: Charge): number {
  return bank.store
    .list<Dispute>({ kind: 'dispute', equal: { charge: id }, limit: 100 })
    .filter(({ status }) => status !== 'won')
    .reduce((sum, { amount }) => sum + Number(amount), 0)
}

function changeRefunded(bank: Bank, charge: Charge, by: number): Charge {
  const amount_refunded = charge.amount_refunded + by
  const changed: Charge = { ...charge, amount_refunded, refunded: amount_refunded === charge.amount }
  bank.store.save(changed)
  return changed
}

function chargeFor(bank: Bank, params: Params): Charge {
  const intentId = params.payment_intent as string | undefined
  const intent =
    intentId === undefined
      ? undefined
      : (bank.store.get<PaymentIntent>('payment_intent', intentId) ??
        missing('payment_intent', intentId, 'payment_intent'))
  const chargeId = (params.charge as string | undefined) ?? intent?.latest_charge
  const charge = chargeId ? bank.store.get<Charge>('charge', chargeId) : undefined
  if (params.charge !== undefined && !charge) missing('charge', params.charge as string, 'charge')
  if (charge && intent && charge.payment_intent !== intent.id)
    refuse('The charge does not belong to this PaymentIntent.', 'charge')
  if (charge?.status !== 'succeeded')
    refuse(
      intent
        ? `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`
        : 'This charge did not succeed, so it cannot be refunded.',
      intent ? 'payment_intent' : 'charge',
    )
  return charge
}
