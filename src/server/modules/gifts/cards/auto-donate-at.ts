import { midnightInMadrid, timeInMadrid } from '#domain/madrid.ts'

/**
 * When a card that nobody used is given away: the end of the day, in Madrid, one year after its creation
 * (29 February → 28), which is the first instant of the day after (product.md#a-year-later).
 * @param createdAt epoch ms UTC
 * @returns epoch ms UTC
 */
export function autoDonateAt(createdAt: number): number {
  const born = new Date(timeInMadrid(createdAt))
  const year = born.getUTCFullYear() + 1
  const month = born.getUTCMonth()
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(born.getUTCDate(), lastOfMonth)
  return midnightInMadrid(Date.UTC(year, month, day + 1))
}
