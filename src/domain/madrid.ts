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
