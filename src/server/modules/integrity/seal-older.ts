import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { BROKEN } from '#server/modules/ledger/seals.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { bareRows, forEachSealed, type SealedRows, sealedPage } from './sealed-rows.ts'

/** Short enough that a visitor's request between two of them waits for nothing. */
const BATCH = 50

/** Looks at some rows after an id, '' to begin, and seals those without a seal. `after` undefined: that was the last. */
export type SealSome = (
  after: string,
) => Promise<{ readonly sealed: number; readonly after: string | undefined }>

/** For each table that has seals. A row whose values can be computed again, and differ, gets a broken seal. */
export function sealers(db: Database, keys: CardKeys): readonly SealSome[] {
  return forEachSealed(rows => after => sealSome(db, keys, rows, after))
}

/** How many rows have no seal yet, in all tables that have them. */
export async function countBare(db: Reader): Promise<number> {
  const counts = await Promise.all(forEachSealed(rows => bareRows(db, rows)))
  return counts.reduce((total, count) => total + count, 0)
}

async function sealSome<Row extends { readonly seal: string | null }>(
  db: Database,
  keys: CardKeys,
  rows: SealedRows<Row>,
  after: string,
): ReturnType<SealSome> {
  const page = await db.read(reader => sealedPage(reader, rows, after, BATCH))
  const bare = page.filter(({ seal }) => seal === null)
  for (const row of bare) await sealFirst(db, keys, rows, row)
  const last = page.at(-1)
  return { sealed: bare.length, after: last && page.length === BATCH ? String(last[rows.id]) : undefined }
}

/** A row that was used, say, or got new links since it was read keeps none for now: the next look seals it. */
async function sealFirst<Row extends { readonly seal: string | null }>(
  db: Database,
  keys: CardKeys,
  { table, id, moving, sealOf, amiss }: SealedRows<Row>,
  row: Row,
): Promise<void> {
  const isAmiss = (amiss?.(keys, row) ?? []).length > 0
  const asRead = (column: string) => row[column as keyof Row] as string
  await db.transaction(trx =>
    trx
      .updateTable(table as 'cards')
      .set({ seal: isAmiss ? BROKEN : sealOf(keys, row) })
      .where('seal', 'is', null)
      .where(eb => eb.and([id, ...moving].map(column => eb(column as 'id', '=', asRead(column)))))
      .execute(),
  )
}
