import { sql } from 'kysely'
import type { Finding, FindingRule } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** Documents that are numbered within a year. */
interface Numbered {
  readonly table: 'certificates' | 'invoices'
  /** Where the last number of each year stands. */
  readonly years: 'certificate_years' | 'invoice_years'
  readonly rule: FindingRule
  /** The number as it is printed. */
  readonly write: (number: { readonly year: number; readonly number: number }) => string
}

/** The years in which not each number from 1 to the last one that was drawn is there once. */
export async function gapsIn(
  db: Reader,
  { table, years, rule, write }: Numbered,
): Promise<readonly Finding[]> {
  const made = await db
    .selectFrom(table)
    .select('year')
    .select([sql<number>`count(*)`.as('count'), sql<number>`max(number)`.as('highest')])
    .groupBy('year')
    .execute()
  const drawn = await db.selectFrom(years).select(['year', 'last']).execute()
  const all = [...new Set([...made, ...drawn].map(({ year }) => Number(year)))]
  return all.flatMap((year): readonly Finding[] => {
    const of = made.find(each => Number(each.year) === year)
    const expected = Number(drawn.find(each => Number(each.year) === year)?.last ?? 0)
    const [found, highest] = [Number(of?.count ?? 0), Number(of?.highest ?? 0)]
    if (found === expected && highest === expected) return []
    return [{ rule, subject: write({ year, number: Math.max(expected, highest) }), expected, found }]
  })
}
