import { dayBefore, dayInUtc } from '../days.ts'
import { DAY_BATCH, FEWEST_CARDS } from './batches.ts'

/** How many gifts were paid on a day by somebody who had been given one. */
export interface ChainDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly cards: number
}

/** The chain as it is shown. */
export interface ShownChain {
  readonly cards: number
  /** `YYYY-MM-DD`, UTC: counted until the end of this day; null before the first. */
  readonly until: string | null
}

/**
 * How many gifts were begun by recipients of earlier ones, as far as it may be shown. It moves like a batch of used cards:
 * on a day from twenty gifts on, else with a month that is over, from five on. So it never says that one gift was bought.
 * @param days in any order; those from today on are not counted
 * @param today `YYYY-MM-DD`, UTC
 */
export function shownChain(days: readonly ChainDay[], today: string): ShownChain {
  let shown: ShownChain = { cards: 0, until: null }
  let waiting = 0
  let month = ''
  const show = (until: string): void => {
    shown = { cards: shown.cards + waiting, until }
    waiting = 0
  }
  const past = days.filter(({ day }) => day < today)
  for (const { day, cards } of past.toSorted((one, other) => (one.day < other.day ? -1 : 1))) {
    if (day.slice(0, 7) !== month && waiting >= FEWEST_CARDS) show(endOfMonth(month))
    month = day.slice(0, 7)
    waiting += cards
    if (waiting >= DAY_BATCH) show(day)
  }
  if (month < today.slice(0, 7) && waiting >= FEWEST_CARDS) show(endOfMonth(month))
  return shown
}

/** The last day of a month. @param month `YYYY-MM` */
function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return dayBefore(dayInUtc(Date.UTC(year, number, 1)))
}
