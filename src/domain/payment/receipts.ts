import { type DocumentNumber, writeNumber } from './document-number.ts'

/**
 * The series of receipt numbers: one for what was bought, one for what went back. Each begins anew with 1 every year in
 * Madrid. The database's CHECK says the same.
 */
export const RECEIPT_SERIES = ['sale', 'refund'] as const

export type ReceiptSeries = (typeof RECEIPT_SERIES)[number]

const MARKS = { sale: 'S', refund: 'R' } as const satisfies Readonly<Record<ReceiptSeries, string>>

/** The series that a mark before a number stands for; undefined where it is of no receipt. */
export const seriesOf = (mark: DocumentNumber['mark']): ReceiptSeries | undefined =>
  RECEIPT_SERIES.find(series => MARKS[series] === mark)

/** The number as it stands on paper: `S2026-000017-7QK3`, of a refund `R2026-000003-7QK3`. */
export const receiptNumber = ({
  series,
  ...drawn
}: Omit<DocumentNumber, 'mark'> & { readonly series: ReceiptSeries }): string =>
  writeNumber({ ...drawn, mark: MARKS[series] })
