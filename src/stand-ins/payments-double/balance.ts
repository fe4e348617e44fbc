import type { Bank } from './bank.ts'
import {
  CARD_PRICES,
  CONVERSION_PRICE,
  costOf,
  DEBIT_PRICE,
  DISPUTE_PRICE,
  rateOn,
  regionOf,
} from './fees.ts'
import {
  type ApiObject,
  type BalanceTransaction,
  type Charge,
  complete,
  type Dispute,
  type PaymentMethod,
  type Payout,
  type Refund,
} from './objects.ts'

const DAY_S = 86_400
/** Days until money that came in can be paid out; the first midnight after. */
const AVAILABLE_AFTER_DAYS = 3
/** Days that a payout takes to its bank account. */
const ARRIVES_AFTER_DAYS = 1

/** What moves the balance, before it is converted. */
interface Movement {
  readonly type: string
  readonly category: string
  readonly source: string
  /** Minor units of `currency`, negative where it leaves. */
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly fees?: (settled: number) => readonly Fee[]
}

interface Fee {
  readonly amount: number
  readonly description: string
}

/** A payment that succeeded. @returns the charge, which names its balance transaction */
export function balanceOfCharge(bank: Bank, charge: Charge): Charge {
  const method = bank.store.get<PaymentMethod>('payment_method', charge.payment_method)!
  const isDebit = method.type === 'sepa_debit'
  const { country } = method[method.type] as { country: string }
  const price = isDebit ? DEBIT_PRICE : CARD_PRICES[regionOf(country)]
  const { id } = move(bank, {
    type: isDebit ? 'payment' : 'charge',
    category: 'charge',
    source: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    description: charge.description as string | null,
    fees: settled => [
      { amount: costOf(settled, price), description: price.description },
      ...(settlementOf(bank, charge.currency) === charge.currency
        ? []
        : [{ amount: costOf(settled, CONVERSION_PRICE), description: CONVERSION_PRICE.description }]),
    ],
  })
  return keep(bank, { ...charge, balance_transaction: id })
}

/** A refund, which the balance pays at once. The payment's fee is not given back. */
export function balanceOfRefund(bank: Bank, refund: Refund): Refund {
  const { id } = move(bank, {
    type: 'refund',
    category: 'refund',
    source: refund.id,
    amount: -refund.amount,
    currency: refund.currency as string,
    description: 'REFUND FOR CHARGE',
  })
  return keep(bank, { ...refund, balance_transaction: id })
}

/** A refund has failed: the balance gets back what it paid for the refund, at the rate of that time. */
export function balanceOfFailedRefund(bank: Bank, refund: Refund): Refund {
  const paid = bank.store.get<BalanceTransaction>('balance_transaction', refund.balance_transaction as string)
  // One that a version before kept without a balance transaction has nothing to give back.
  if (!paid) return refund
  const { id } = write(bank, {
    ...paid,
    type: 'refund_failure',
    reporting_category: 'refund_failure',
    amount: -paid.amount,
    net: -paid.amount,
    description: 'REFUND FAILURE',
  })
  return keep(bank, { ...refund, failure_balance_transaction: id })
}

/** A dispute takes its amount and the provider its fee; won, the amount comes back and the fee does not. */
export function balanceOfDispute(bank: Bank, dispute: Dispute, isWon: boolean): Dispute {
  const { amount, currency, charge } = dispute as Dispute & { amount: number; currency: string }
  const known = dispute.balance_transactions
  const [withdrawn] = known
  const made =
    isWon && withdrawn
      ? write(bank, {
          ...withdrawn,
          reporting_category: 'dispute_reversal',
          amount: -withdrawn.amount,
          fee: 0,
          fee_details: [],
          net: -withdrawn.amount,
          description: `Chargeback reversal for ${charge}`,
        })
      : move(bank, {
          type: 'adjustment',
          category: 'dispute',
          source: dispute.id,
          amount: -amount,
          currency,
          description: `Chargeback withdrawal for ${charge}`,
          fees: () => [{ amount: DISPUTE_PRICE.fixed, description: DISPUTE_PRICE.description }],
        })
  return keep(bank, { ...dispute, balance_transactions: [...known, made] })
}

/** Gives payments, refunds and disputes of a version that kept no balance their transactions, as of now. */
export function catchUp(bank: Bank): void {
  const every = <T extends ApiObject>(kind: T['object']) =>
    bank.store.list<T>({ kind, limit: Number.MAX_SAFE_INTEGER }).reverse()
  for (const charge of every<Charge>('charge'))
    if (charge.status === 'succeeded' && charge.balance_transaction === null) balanceOfCharge(bank, charge)
  for (const refund of every<Refund>('refund'))
    if (refund.status !== 'failed' && refund.balance_transaction === null) balanceOfRefund(bank, refund)
  for (const dispute of every<Dispute>('dispute'))
    if (dispute.status !== 'won' && dispute.balance_transactions.length === 0)
      balanceOfDispute(bank, dispute, false)
}

/** Pays out what is available of a currency: the task of each day on which something becomes available. */
export function payOut(bank: Bank, currency: string): void {
  const parts = bank.store
    .unpaid<BalanceTransaction>('balance_transaction', currency, bank.now())
    .filter(({ type }) => type !== 'payout')
  const amount = parts.reduce((sum, { net }) => sum + net, 0)
  // What is owed to the provider waits for the next payment.
  if (amount <= 0) return
  const arrival = midnightAfter(bank.now() + ARRIVES_AFTER_DAYS * DAY_S)
  const payout = complete<Payout>({
    id: bank.newId('po_'),
    object: 'payout',
    amount,
    arrival_date: arrival,
    automatic: true,
    created: bank.now(),
    currency,
    description: 'STRIPE PAYOUT',
    destination: 'ba_local',
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'completed',
    source_type: 'card',
    status: 'in_transit',
    type: 'bank_account',
  })
  bank.store.add(payout)
  const left = write(bank, {
    ...blank(bank, currency, payout.id),
    type: 'payout',
    reporting_category: 'payout',
    amount: -amount,
    net: -amount,
    available_on: arrival,
    description: 'STRIPE PAYOUT',
  })
  for (const part of parts) bank.store.save({ ...part, status: 'available' })
  for (const { id } of [...parts, left]) bank.store.belong(id, payout.id)
  bank.emit('payout.created', keep(bank, { ...payout, balance_transaction: left.id }))
  bank.laterAt(arrival * 1000, 'payout-arrived', payout.id)
}

/** The task when a payout is at the bank. */
export function arrive(bank: Bank, id: string): void {
  const payout = bank.store.get<Payout>('payout', id)!
  if (payout.status === 'in_transit')
    bank.emit('payout.paid', keep(bank, { ...payout, status: 'paid' as const }))
}

/** The bank sends a payout back: the balance has the money again. */
export function returnPayout(bank: Bank, id: string): void {
  const payout = bank.store.get<Payout>('payout', id)!
  const back = write(bank, {
    ...blank(bank, payout.currency, id),
    type: 'payout_failure',
    reporting_category: 'payout_reversal',
    amount: payout.amount,
    net: payout.amount,
    description: 'PAYOUT FAILURE',
  })
  const failed = {
    ...payout,
    status: 'failed' as const,
    failure_balance_transaction: back.id,
    failure_code: 'account_closed',
    failure_message: 'The bank account has been closed',
  }
  bank.emit('payout.failed', keep(bank, failed))
}

/** The currency in which the account holds a payment: its own where it has a bank account for it, else the first. */
function settlementOf({ settles }: Bank, currency: string): string {
  return settles.includes(currency) ? currency : settles[0]!
}

function move(bank: Bank, { type, category, source, amount, currency, description, fees }: Movement) {
  const settlement = settlementOf(bank, currency)
  const rate = settlement === currency ? null : rateOn(bank.now(), currency, settlement)
  const settled = rate === null ? amount : Math.round(amount * rate)
  const charged = fees?.(settled) ?? []
  const fee = charged.reduce((sum, each) => sum + each.amount, 0)
  return write(bank, {
    ...blank(bank, settlement, source),
    type,
    reporting_category: category,
    amount: settled,
    exchange_rate: rate,
    fee,
    fee_details: charged.map(each => ({
      amount: each.amount,
      application: null,
      currency: settlement,
      description: each.description,
      type: 'stripe_fee',
    })),
    net: settled - fee,
    description,
  })
}

const blank = (bank: Bank, currency: string, source: string) => ({
  object: 'balance_transaction' as const,
  balance_type: 'payments' as const,
  currency,
  exchange_rate: null,
  fee: 0,
  fee_details: [],
  source,
  status: 'pending' as const,
  created: bank.now(),
  available_on: midnightAfter(bank.now() + (AVAILABLE_AFTER_DAYS - 1) * DAY_S),
})

/** Writes it as a new one of this moment, and plans the payout of the day when it is available. */
function write(bank: Bank, values: Omit<BalanceTransaction, 'id'>): BalanceTransaction {
  const transaction = complete<BalanceTransaction>({
    ...values,
    id: bank.newId('txn_'),
    created: bank.now(),
    available_on: Math.max(
      values.available_on as number,
      midnightAfter(bank.now() + (AVAILABLE_AFTER_DAYS - 1) * DAY_S),
    ),
  } as BalanceTransaction)
  bank.store.add(transaction)
  if (transaction.type !== 'payout')
    bank.laterAt((transaction.available_on as number) * 1000, 'pay-out', transaction.currency)
  return transaction
}

const midnightAfter = (second: number): number => (Math.floor(second / DAY_S) + 1) * DAY_S

function keep<T extends Charge | Refund | Dispute | Payout>(bank: Bank, object: T): T {
  bank.store.save(object)
  return object
}
