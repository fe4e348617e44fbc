/** A day where the operator is, as `YYYY-MM-DD`: days are compared as text. */
export function dayOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** The same day of the year before; 28 February for 29 February. */
export function yearBefore(day: string): string {
  const [year = '', ...rest] = day.split('-')
  const date = rest.join('-')
  return `${Number(year) - 1}-${date === '02-29' ? '02-28' : date}`
}
