import { dayInUtc } from '#domain/days.ts'
import { decimal } from '#domain/money/money.ts'
import { csvFile } from '#server/platform/csv.ts'
import { remittanceOf } from './pain.ts'
import type { PayoutRow } from './payouts.ts'
import type { Transfer } from './runs.ts'

const COLUMNS = [
  'payout',
  'organisation',
  'name',
  'currency',
  'amount',
  'allocations',
  'made',
  'status',
  'reference',
  'paid',
]

/**
 * Payouts as a table for the bank or a spreadsheet: RFC 4180, a header, amounts with a point and two decimals, days
 * in UTC.
 * @param nameOf what an organisation is called
 */
export function payoutsCsv(payouts: readonly PayoutRow[], nameOf: (ngoId: string) => string): string {
  const rows = payouts.map(payout => [
    payout.id,
    payout.ngo_id,
    nameOf(payout.ngo_id),
    payout.currency,
    decimal(payout.amount),
    String(payout.allocations),
    dayInUtc(payout.created_at),
    payout.status,
    payout.reference ?? '',
    payout.paid_at === null ? '' : dayInUtc(payout.paid_at),
  ])
  return csvFile([COLUMNS, ...rows])
}

const TRANSFER_COLUMNS = [
  'payout',
  'name',
  'tax number',
  'country',
  'iban',
  'number',
  'routing',
  'bic',
  'currency',
  'amount',
  'text',
]

/** Transfers as a table to type them from: whole accounts, as the bank knows them. RFC 4180, with a header. */
export function transfersCsv(transfers: readonly Transfer[]): string {
  const rows = transfers.map(({ payout, account }) => [
    payout.id,
    account.legal_name,
    account.tax_number ?? '',
    account.country,
    account.iban ?? '',
    account.number ?? '',
    account.routing ?? '',
    account.bic ?? '',
    payout.currency,
    decimal(payout.amount),
    remittanceOf(payout.id),
  ])
  return csvFile([TRANSFER_COLUMNS, ...rows])
}
