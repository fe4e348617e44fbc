import { endOfDayInMadrid, timeInMadrid } from '../madrid.ts'

const SATURDAY = 6
const SUNDAY = 0

/**
 * When a purchase can no longer be withdrawn from: the end of the last day in Madrid. The day of the purchase is not
 * counted, and a last day on a weekend moves to the Monday after it (product.md#withdrawal).
 * @param boughtAt epoch ms UTC
 * @param days whole days
 * @returns the first instant after the last day, epoch ms UTC
 */
export function withdrawalEndsAt(boughtAt: number, days: number): number {
  // The last moment of that day, read by Madrid's own calendar.
  const weekday = new Date(timeInMadrid(endOfDayInMadrid(boughtAt, days) - 1)).getUTCDay()
  const more = weekday === SATURDAY ? 2 : weekday === SUNDAY ? 1 : 0
  return endOfDayInMadrid(boughtAt, days + more)
}
