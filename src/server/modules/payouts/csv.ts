import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import { csvCell } from '#server/platform/csv.ts'
import type { PayoutRow } from './payouts.ts'

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
    day(payout.created_at),
    payout.status,
    payout.reference ?? '',
    payout.paid_at === null ? '' : day(payout.paid_at),
  ])
  return [COLUMNS, ...rows].map(row => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** Minor units as a decimal number: 5 → `0.05`. */
export function decimal(minor: number): string {
  return (minor / MINOR_UNITS_PER_UNIT).toFixed(2)
}

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10)
