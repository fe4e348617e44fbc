import { midnightInMadrid, timeInMadrid } from './madrid.ts'

/** A stretch of time, epoch ms UTC; `to` is no part of it. */
export interface Period {
  readonly from: number
  readonly to: number
}

/**
 * The period that a text names: `2026`, `2026-Q3` or `2026-07`. It begins with its first midnight in Madrid and ends with
 * the first one after it.
 * @returns undefined where the text names no year, quarter or month
 */
export function periodOf(text: string): Period | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const first = quarter ? (Number(quarter) - 1) * 3 : month ? Number(month) - 1 : 0
  const months = quarter ? 3 : month ? 1 : 12
  const begin = (n: number) => midnightInMadrid(Date.UTC(Number(year), n, 1))
  return { from: begin(first), to: begin(first + months) }
}

/** A period cut at the first midnight in Madrid of each month, the first part first. */
export function monthsOf({ from, to }: Period): readonly Period[] {
  const months: Period[] = []
  for (let begin = from; begin < to; ) {
    const local = new Date(timeInMadrid(begin))
    const next = midnightInMadrid(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + 1, 1))
    months.push({ from: begin, to: Math.min(next, to) })
    begin = next
  }
  return months
}
