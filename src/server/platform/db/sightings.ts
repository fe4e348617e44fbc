import type { Reader, Writer } from './database.ts'

/** When something of this name was last seen or done, epoch ms UTC; undefined where it never was. */
export async function sightedAt(db: Reader, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('sightings').select('at').where('name', '=', name).executeTakeFirst()
  return row?.at
}

/** The same of each of several names, without those that never were. */
export async function sightedOf(db: Reader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db.selectFrom('sightings').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map(({ name, at }) => [name, at]))
}

/** Keeps when something was seen or done, in the place of when it was before. @param at epoch ms UTC */
export async function sight(trx: Writer, name: string, at: number): Promise<void> {
  await trx
    .insertInto('sightings')
    .values({ name, at })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ at }))
    .execute()
}

/** Keeps when something was seen for the first time. @param at epoch ms UTC @returns false where it was seen before */
export async function sightFirst(trx: Writer, name: string, at: number): Promise<boolean> {
  const row = await trx
    .insertInto('sightings')
    .values({ name, at })
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets that something was seen: the next time is the first. @returns false where it was not seen */
export async function forgetSight(trx: Writer, name: string): Promise<boolean> {
  const row = await trx.deleteFrom('sightings').where('name', '=', name).returning('name').executeTakeFirst()
  return row !== undefined
}
