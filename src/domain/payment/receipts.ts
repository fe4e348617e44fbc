/**
 * The series of receipt numbers: one for what was bought, one for what went back. Each begins anew with 1 every year in
 * Madrid. The database's CHECK says the same.
 */
export const RECEIPT_SERIES = ['sale', 'refund'] as const

export type ReceiptSeries = (typeof RECEIPT_SERIES)[number]

const LETTERS: Readonly<Record<ReceiptSeries, string>> = { sale: 'S', refund: 'R' }
const DIGITS = 6

/** The number as it stands on paper: `S2026-000017`, of a refund `R2026-000003`. */
export function receiptNumber({
  series,
  year,
  number,
}: {
  readonly series: ReceiptSeries
  readonly year: number
  readonly number: number
}): string {
  return `${LETTERS[series]}${year}-${String(number).padStart(DIGITS, '0')}`
}
