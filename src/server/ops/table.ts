import { DAY_MS } from '#domain/durations.ts'
import { counted } from '#domain/text/counted.ts'
import { written } from '#server/modules/desk/written.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'

/** A terminal is at least this wide. */
const WIDTH = 100
const GAP = 2

export interface Column {
  readonly title: string
  /** Aligns the column to the right, for numbers. */
  readonly right?: true
  /** Is never cut: what somebody looks for in the list. */
  readonly whole?: true
}

/** No text is cut to less than this. */
const LEAST_WIDTH = 12

/**
 * A table that fits a terminal. Where it would be wider, the widest texts are cut and marked as cut; ids never are, since
 * the next command wants them whole.
 * @returns its lines, the titles first; without rows, one line that says so
 */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ['(none)']
  const widths = columns.map(({ title }, n) =>
    Math.max(title.length, ...rows.map(row => row[n]?.length ?? 0)),
  )
  const total = () => widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1))
  const isWhole = columns.map(({ whole }, n) => whole || rows.some(row => isIdShaped(row[n] ?? '')))
  while (total() > WIDTH) {
    const widest = Math.max(...widths.filter((_, n) => !isWhole[n]))
    if (widest <= LEAST_WIDTH) break
    widths[widths.findIndex((width, n) => width === widest && !isWhole[n])]! -= 1
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, n) => {
        const width = widths[n] ?? 0
        const fitted = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
        return columns[n]?.right ? fitted.padStart(width) : fitted.padEnd(width)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  return [line(columns.map(({ title }) => title)), ...rows.map(line)]
}

/** A list on as many lines as it needs, broken after its commas, so that no amount is cut. */
export function wrapped(list: string, width: number): string[] {
  const lines = ['']
  for (const item of list.split(/(?<=, )/)) {
    const last = lines.at(-1)!
    if (last !== '' && (last + item).trimEnd().length > width) lines.push(item)
    else lines[lines.length - 1] = last + item
  }
  return lines.map(line => line.trimEnd())
}

/** An instant (epoch ms UTC) as text in UTC: `2026-12-31 23:59`. */
export function instant(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** How long ago, in whole days. */
export function age(at: number, now: number): string {
  return counted(Math.floor((now - at) / DAY_MS), 'day')
}

/** Minor units as an amount with two decimals and thousands separators: `1,234.50`. */
export const amount = written
