import type { Selectable } from 'kysely'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ManyPagesTable } from '#server/platform/db/schema.ts'
import type { CardKeys } from './cards/keys.ts'

export type ManyPage = Selectable<ManyPagesTable>

/** Gives an order of many its page, in the transaction that makes the cards. @param now epoch ms UTC */
export async function addManyPage(
  trx: Writer,
  keys: Pick<CardKeys, 'firstVersion'>,
  orderId: string,
  now: number,
): Promise<void> {
  const first = {
    key_version: keys.firstVersion,
    showing_digest: null,
    showing_position: null,
    shown_at: null,
  }
  await trx
    .insertInto('many_pages')
    .values({ order_id: orderId, ...first, created_at: now })
    .execute()
}

/** The page of an order; undefined for an order of one, or one that is not paid. */
export function manyPageOf(db: Reader, orderId: string): Promise<ManyPage | undefined> {
  return db.selectFrom('many_pages').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** Changes a page that is locked with its order. */
export async function changeManyPage(
  trx: Writer,
  orderId: string,
  set: Partial<Omit<ManyPage, 'order_id'>>,
): Promise<void> {
  await trx.updateTable('many_pages').set(set).where('order_id', '=', orderId).execute()
}
