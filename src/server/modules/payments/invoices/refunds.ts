import { money } from '#domain/money/money.ts'
import { recordBankRefund } from '#server/modules/ledger/invoices.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import {
  type Facts,
  follow,
  type ReversalsDependencies,
  tell,
} from '#server/modules/payments/refunds-and-disputes.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { addBankRefund, bankRefundsOf } from './stored.ts'

/** Money that is given back of an invoice, by a transfer that a person makes. */
export interface BankRefund {
  /** Minor units. */
  readonly amount: number
  /** The numbers of the cards that it is for (`3, 5-8`); null where it names none. */
  readonly cards: string | null
  /** The withdrawal that it is for. */
  readonly withdrawal?: { readonly number: number; readonly attempt: number }
}

/** What is known of the money of an invoice, as the payment provider says it of a charge. Nobody can dispute a transfer. */
export async function factsOfInvoice(db: Reader, orderId: string): Promise<Facts> {
  const refunds = await bankRefundsOf(db, orderId)
  const parts = (isOfWithdrawal: boolean) =>
    refunds
      .filter(({ withdrawal }) => (withdrawal !== null) === isOfWithdrawal)
      .map(({ amount, cards }) => ({ amount, named: cards ?? undefined }))
  return {
    orderId,
    refunds: refunds.length,
    refunded: refunds.reduce((sum, { amount }) => sum + amount, 0),
    lostToDisputes: 0,
    isDisputed: false,
    disputes: [],
    withdrawn: refunds.flatMap(({ withdrawal, attempt, cards }) =>
      withdrawal === null
        ? []
        : [{ orderId, number: String(withdrawal), attempt: String(attempt), cards, isFailed: false }],
    ),
    parts: { refunds: parts(false), withdrawn: parts(true), losses: [], openDisputes: [] },
  }
}

/**
 * Notes a transfer back, and makes cards and books follow it, in one transaction with whoever asks. Its order is locked.
 * @returns what has to be said of it once the transaction stands
 */
export async function giveBackInvoiced(
  trx: Writer,
  deps: Pick<ReversalsDependencies, 'keys' | 'clock' | 'log'>,
  order: Order,
  { amount, cards, withdrawal }: BankRefund,
): Promise<() => void> {
  const now = deps.clock()
  const id = newId(now)
  await addBankRefund(trx, deps.keys, {
    id,
    order_id: order.id,
    amount,
    cards,
    withdrawal: withdrawal?.number ?? null,
    attempt: withdrawal?.attempt ?? null,
    made_at: now,
  })
  await recordBankRefund(trx, {
    refundId: id,
    orderId: order.id,
    amount: money(amount, order.currency),
    at: now,
  })
  const facts = await factsOfInvoice(trx, order.id)
  const followed = await follow(trx, deps, facts)
  return () => tell(deps.log, `invoice of ${order.id}`, facts, followed)
}
