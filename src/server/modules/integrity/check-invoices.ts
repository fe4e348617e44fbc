import { atBank, numberInYear } from '#domain/invoice/invoice.ts'
import { isSold } from '#domain/payment/order-states.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { gapsIn } from '#server/modules/integrity/gaps-in-numbers.ts'
import { INVOICE_CAUSE } from '#server/modules/ledger/invoices.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** The invoices of a year have the numbers from 1 to the last one that was drawn; each number is there once. */
export const invoiceNumbersAmiss = (db: Reader): Promise<readonly Finding[]> =>
  gapsIn(db, { table: 'invoices', years: 'invoice_years', rule: 'invoice-gap', write: numberInYear })

/**
 * An invoice is of what its order costs, and is paid just where the order is; what the books have at the bank of it is what was
 * paid less what was transferred back, and that is what went back of the order.
 */
export async function invoicesAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'invoices.order_id')
    .leftJoin(
      eb =>
        eb
          .selectFrom('bank_refunds')
          .select(['order_id', sumOf('amount').as('back')])
          .groupBy('order_id')
          .as('transferred'),
      join => join.onRef('transferred.order_id', '=', 'invoices.order_id'),
    )
    .leftJoin(
      eb =>
        eb
          .selectFrom('ledger_entries')
          .select(['order_id', sumOf('amount').as('sum')])
          .where('cause', '=', INVOICE_CAUSE)
          .where('account', '=', 'bank')
          .groupBy('order_id')
          .as('booked'),
      join => join.onRef('booked.order_id', '=', 'invoices.order_id'),
    )
    .select(['invoices.order_id', 'invoices.state', 'invoices.amount', 'invoices.currency'])
    .select(['orders.status', 'orders.total_amount', 'orders.currency as sold_in', 'reversals.refunded'])
    .select(['transferred.back', 'booked.sum'])
    .execute()
  const findings = rows.flatMap((row): readonly Finding[] => {
    const back = Number(row.back ?? 0)
    const expected = atBank({ state: row.state, amount: Number(row.total_amount) }, back)
    const found = 0 - Number(row.sum ?? 0)
    const isPaid = row.state === 'paid'
    const isRight =
      found === expected &&
      Number(row.amount) === Number(row.total_amount) &&
      row.currency === row.sold_in &&
      isPaid === isSold(row.status) &&
      Number(row.refunded ?? 0) === back
    if (isRight) return []
    return [{ rule: 'invoice-differs', subject: row.order_id, expected, found, currency: row.currency }]
  })
  return [...findings, ...(await refundsOfNoInvoice(db))].slice(0, MOST)
}

/** What the books have of an invoice that there is not. */
async function refundsOfNoInvoice(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .leftJoin('invoices', 'invoices.order_id', 'ledger_entries.order_id')
    .select(['ledger_entries.set_id', 'ledger_entries.currency', 'ledger_entries.amount'])
    .where('ledger_entries.cause', '=', INVOICE_CAUSE)
    .where('ledger_entries.account', '=', 'bank')
    .where('invoices.order_id', 'is', null)
    .limit(MOST)
    .execute()
  return rows.map(({ set_id: subject, currency, amount }) => ({
    rule: 'invoice-differs',
    subject,
    expected: 0,
    found: 0 - Number(amount),
    currency,
  }))
}
