/** Of how many orders that were opened how many were paid. */
export interface Paid {
  readonly orders: number
  readonly paid: number
}

/** Fewer say nothing of a day, or of the week before it. */
const FEWEST = { day: 10, week: 20 }

/** Is the share of paid orders of a day less than half of that in the week before? False where there are too few. */
export function areFailuresRising(day: Paid, week: Paid): boolean {
  if (day.orders < FEWEST.day || week.orders < FEWEST.week) return false
  return day.paid / day.orders < week.paid / week.orders / 2
}
