import { instantIn, timeIn } from './zones.ts'

const ZONE = 'Europe/Madrid'

/** Madrid's calendar and clock at an instant, read as if they were UTC (whole seconds). */
export const timeInMadrid = (instant: number): number => timeIn(ZONE, instant)

/**
 * The instant of a midnight in Madrid. Clocks there change at 2 and 3 o'clock, so midnight comes once a day.
 * @param midnight read as if it were UTC
 * @returns epoch ms UTC
 */
export const midnightInMadrid = (midnight: number): number => instantIn(ZONE, midnight)

/**
 * The end of a later day in Madrid.
 * @param instant epoch ms UTC, on the day that counts as none
 * @param days how many days later, whole
 * @returns the first instant after that day, epoch ms UTC
 */
export function endOfDayInMadrid(instant: number, days: number): number {
  const from = new Date(timeInMadrid(instant))
  return midnightInMadrid(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate() + days + 1))
}
