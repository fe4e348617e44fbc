import { midnightInMadrid, timeInMadrid } from '#domain/madrid.ts'
import type { Period } from '#server/modules/reports/vat.ts'
import { oneWord } from './arguments.ts'
import { Refusal } from './command.ts'

/** How a command that takes a period is called. */
export const PERIOD_USAGE = '<2026 | 2026-Q3 | 2026-07>'

/** The period that a command was given as its one word. @throws Refusal */
export const periodIn = (words: readonly string[]): Period =>
  periodOf(oneWord(words, 'one year, quarter or month, such as 2026-Q3'))

/** The bounds of a period of months: its first midnight in Madrid and the first midnight after it. @throws Refusal */
export function periodOf(text: string): Period {
  const [, year, quarter, month] = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/.exec(text) ?? []
  if (year === undefined)
    throw new Refusal(`"${text}" is no year, quarter or month. Write it as 2026, 2026-Q3 or 2026-07.`)
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
