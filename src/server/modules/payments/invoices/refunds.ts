import { money } from '#domain/money/money.ts'
import { recordBankRefund } from '#server/modules/ledger/invoices.ts'
import { type Sealer, sealOfBankRefund } from '#server/modules/ledger/seals.ts'
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

/**
 * What is known of the money of an invoice, as the payment provider says it of a charge. Nobody can dispute a transfer.
 * @throws Error where another hand has changed a row, or taken one out: no card comes back to life by that
 */
export async function factsOfInvoice(db: Reader, keys: Sealer, orderId: string): Promise<Facts> {
  const refunds = await bankRefundsOf(db, orderId)
  const known = await db
    .selectFrom('reversals')
    .select('refunded')
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  const areSealed = refunds.every(refund => refund.seal === sealOfBankRefund(keys, refund))
  if (!areSealed || sum < (known?.refunded ?? 0))
    throw new Error(`The refunds of ${orderId} are not as written`)
  const parts = (isOfWithdrawal: boolean) =>
    refunds
      .filter(({ withdrawal }) => (withdrawal !== null) === isOfWithdrawal)
      .map(({ amount, cards }) => ({ amount, named: cards ?? undefined }))
  return {
    orderId,
    refunds: refunds.length,
    refunded: sum,
    lostToDisputes: 0,
    isDisputed: false,
    disputes: [],
    pressed: [],
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
  const facts = await factsOfInvoice(trx, deps.keys, order.id)
  const followed = await follow(trx, deps, facts)
  return () => tell(deps.log, `invoice of ${order.id}`, followed)
}
