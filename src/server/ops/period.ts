import { type Period, periodOf } from '#domain/period.ts'
import { oneWord } from './arguments.ts'
import { Refusal } from './command.ts'

/** How a command that takes a period is called. */
export const PERIOD_USAGE = '<2026 | 2026-Q3 | 2026-07>'

/** The period that a command was given as its one word. @throws Refusal where it names none */
export function periodIn(words: readonly string[]): Period {
  const text = oneWord(words, 'one year, quarter or month, such as 2026-Q3')
  const period = periodOf(text)
  if (period === undefined)
    throw new Refusal(`"${text}" is no year, quarter or month. Write it as 2026, 2026-Q3 or 2026-07.`)
  return period
}
