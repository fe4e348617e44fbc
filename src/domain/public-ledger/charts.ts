import { DAY_MS } from '../durations.ts'
import type { Currency } from '../money/currency.ts'
import type { Cause } from './leaf.ts'
import type { MonthOfLines } from './months.ts'

/** What the chart of a month shows, in the order of the money's way. */
export const SERIES = ['bought', 'given', 'paid'] as const

export type Series = (typeof SERIES)[number]

const CAUSES_OF: Readonly<Record<Series, readonly Cause[]>> = {
  bought: ['sale', 'claim'],
  given: ['given', 'auto'],
  paid: ['paid'],
}

/** Minor units by series. */
export interface ChartedMonth extends Readonly<Record<Series, number>> {
  /** `YYYY-MM`, UTC. */
  readonly month: string
}

const MOST_MONTHS = 12

/** The last months of a currency that have lines, at most twelve, the oldest first; a month without lines is one of nothing. */
export function chartedMonths(months: readonly MonthOfLines[], currency: Currency): readonly ChartedMonth[] {
  const own = new Map(months.filter(each => each.currency === currency).map(each => [each.month, each]))
  const [first, last] = [[...own.keys()].sort().at(0), [...own.keys()].sort().at(-1)]
  const charted: ChartedMonth[] = []
  for (
    let month = last;
    month !== undefined && first !== undefined && month >= first;
    month = before(month)
  ) {
    if (charted.length === MOST_MONTHS) break
    const rows = own.get(month)?.rows ?? []
    const sum = (series: Series): number =>
      rows
        .filter(({ cause }) => CAUSES_OF[series].includes(cause))
        .reduce((all, { amount }) => all + amount, 0)
    charted.unshift({ month, bought: sum('bought'), given: sum('given'), paid: sum('paid') })
  }
  return charted
}

/** The month before one, `2025-12` for `2026-01`. */
function before(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2, 1)).toISOString().slice(0, 7)
}

/** A bar of a chart, in units of a picture that is 1000 wide and 300 high. */
export interface Bar {
  readonly series: Series
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const [WIDTH, HEIGHT] = [1000, 300]

/** The bars of some months, side by side, as high as their part of the highest. None where every one would be nothing. */
export function barsOf(months: readonly ChartedMonth[]): readonly Bar[] {
  const most = Math.max(0, ...months.flatMap(month => SERIES.map(series => month[series])))
  const step = WIDTH / Math.max(1, months.length)
  const width = Math.round(step / 4)
  return months.flatMap((month, n) =>
    SERIES.flatMap((series, place) => {
      if (month[series] <= 0) return []
      const height = Math.max(2, Math.round((month[series] / most) * HEIGHT))
      return [{ series, x: Math.round(n * step + (place + 0.5) * width), y: HEIGHT - height, width, height }]
    }),
  )
}

/** The bars of one series, as the outline of a picture: short, since a page has many of them. */
export const outlineOf = (bars: readonly Bar[], series: Series): string =>
  bars
    .filter(each => each.series === series)
    .map(({ x, width, height }) => `M${x} ${HEIGHT}v-${height}h${width}V${HEIGHT}`)
    .join('')

/** What is given is paid out within so many days. */
export const DAYS_PROMISED = 30

/** How many days something has waited. @param since and @param today `YYYY-MM-DD`, UTC; 0 for a day to come */
export const daysWaited = (since: string, today: string): number =>
  Math.max(0, Math.round((Date.parse(today) - Date.parse(since)) / DAY_MS))
