import { decimal } from '#domain/money/money.ts'
import { csvLine, figure } from '#server/platform/csv.ts'
import type { Report } from './command.ts'
import { amount, table } from './table.ts'

/** A cell of a listing: a text, or an amount in minor units, which each form writes in its own way. */
type Cell = string | { readonly minor: number }

/** A table that a command gives for reading or, with `--csv`, for a spreadsheet. */
interface Listing {
  readonly titles: readonly string[]
  /** The number of the columns that are aligned to the right, from 0. */
  readonly right: readonly number[]
  /** The number of the columns that are never cut for reading, from 0: what somebody looks for in the list. */
  readonly whole?: readonly number[]
  readonly rows: readonly (readonly Cell[])[]
  /** The same for `--json`. */
  readonly data: unknown
  readonly asCsv: boolean
  /** Lines below the table, for reading alone. */
  readonly notes?: readonly string[]
}

/** The report of a command that lists something: amounts are grouped for reading and plain for programs. */
export function listing({ titles, right, whole = [], rows, data, asCsv, notes = [] }: Listing): Report {
  const lines = asCsv
    ? [titles, ...rows.map(row => row.map(cell => (isText(cell) ? cell : figure(decimal(cell.minor)))))].map(
        csvLine,
      )
    : [
        ...table(
          titles.map((title, n) => ({
            title,
            ...(right.includes(n) && { right: true as const }),
            ...(whole.includes(n) && { whole: true as const }),
          })),
          rows.map(row => row.map(cell => (isText(cell) ? cell : amount(cell.minor)))),
        ),
        ...notes,
      ]
  return { lines, data, ok: true }
}

const isText = (cell: Cell): cell is string => typeof cell === 'string'
