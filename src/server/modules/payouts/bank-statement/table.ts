import { parse } from 'csv-parse/sync'
import { type BankEntry, ibanOf, lineOf, minorOf, referenceOf, StatementRefused } from './entry.ts'

/** The columns, in any order; others are passed over. */
const NEEDED = ['reference', 'endtoendid', 'amount', 'currency'] as const
const LONGEST_ROW = 10_000
const MOST_ROWS = 100_000

/**
 * The transfers of a bank's statement as a table: the first line names the columns, however they are spaced and in
 * capitals or not. `reference` is the bank's own, `end to end id` the payout's, `amount` is negative where money leaves, with
 * a point or a comma before two decimals, `currency` is `EUR`; `iban` says where it went, and may be missing. Commas,
 * semicolons or tabs between.
 * @throws StatementRefused where it is no such table
 */
export function readTable(text: string): readonly BankEntry[] {
  const [header = '', ...rows] = rowsOf(text)
  const names = [...header].map(name => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
  const missing = NEEDED.filter(name => !names.includes(name))
  if (missing.length > 0)
    throw new StatementRefused(
      `The first line has to name the columns "reference", "end to end id", "amount" and "currency", and may name "iban". Missing: ${missing.join(', ')}.`,
    )
  if (rows.length > MOST_ROWS) throw new StatementRefused('The table has more rows than a statement.')
  return rows.map((row, n) => {
    const cell = (name: string) => row[names.indexOf(name)]?.trim() ?? ''
    const place = `Row ${n + 2}`
    const endToEndId = referenceOf(cell('endtoendid')) || null
    const written = lineOf(cell('reference'))
    // What names no payout is the account's other business, and may have a placeholder.
    const reference = referenceOf(written) || (endToEndId === null ? written : '')
    if (reference === '')
      throw new StatementRefused(
        written === ''
          ? `${place} has no reference of the bank.`
          : `${place} has no reference of the bank: "${written}" stands for none. Write the booking day in its place.`,
      )
    const [, sign, digits = ''] = /^([+\-−]?)(.*)$/.exec(cell('amount')) ?? []
    const amount = minorOf(digits)
    if (amount === null)
      throw new StatementRefused(
        `${place}: "${cell('amount')}" is not an amount. Write it as -80.00, without marks between thousands.`,
      )
    return {
      reference,
      earlierReference: null,
      transfer: `${reference} ${n}`,
      endToEndId,
      batchId: null,
      amount,
      currency: cell('currency').toUpperCase(),
      isOut: sign === '-' || sign === '−',
      isReturn: false,
      isBooked: true,
      bookedOn: null,
      iban: ibanOf(cell('iban')),
    }
  })
}

function rowsOf(text: string): readonly (readonly string[])[] {
  const first = text.slice(0, LONGEST_ROW).split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [';', '\t'].find(each => first.includes(each)) ?? ','
  try {
    return parse(text, { bom: true, delimiter, skip_empty_lines: true, max_record_size: LONGEST_ROW })
  } catch (error) {
    throw new StatementRefused(`The file is no table: ${(error as Error).message}`)
  }
}
