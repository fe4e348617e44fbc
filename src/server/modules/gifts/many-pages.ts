import type { Selectable } from 'kysely'
import { turnOf } from '#domain/card/shown-links.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ManyPagesTable } from '#server/platform/db/schema.ts'
import type { CardKeys } from './cards/keys.ts'
import type { Card } from './stored-cards.ts'

export type ManyPage = Selectable<ManyPagesTable>

interface NewManyPage {
  readonly orderId: string
  /** Epoch ms UTC. */
  readonly now: number
  /** Of the keys of the purchase, which those of an invoice become; the first one when missing. */
  readonly keyVersion?: number | undefined
}

/** Gives an order of many its page, in the transaction that makes the cards. */
export async function addManyPage(
  trx: Writer,
  keys: Pick<CardKeys, 'firstVersion'>,
  { orderId, now, keyVersion = keys.firstVersion }: NewManyPage,
): Promise<void> {
  const first = {
    key_version: keys.firstVersion,
    purchase_key_version: keyVersion,
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

/**
 * Gives the page of an order another address, and the purchase other keys: the page, the withdrawal, the certificate and
 * the invoice of before open no more, whoever has their links. The order is locked.
 * @param cards of the order
 */
export async function movePage(
  trx: Writer,
  keys: Pick<CardKeys, 'nextVersion'>,
  page: ManyPage,
  cards: readonly Pick<Card, 'key_version'>[],
): Promise<void> {
  // Mails from before the page had the version may hold that of any card: none of them may open anything again.
  const turns = [page.purchase_key_version ?? 0, ...cards.map(card => card.key_version)].map(turnOf)
  await changeManyPage(trx, page.order_id, {
    key_version: keys.nextVersion(page.key_version),
    purchase_key_version: keys.nextVersion(Math.max(...turns)),
  })
}

/**
 * The version of the keys of a purchase: to withdraw from it, of its certificate and of its invoice. Those of one card die
 * with its links. Those of many stand with their page, so that new links of some cards leave the buyer's mails as they are.
 * @param card any of the order
 */
export async function purchaseKeyVersion(
  db: Reader,
  orderId: string,
  card: Pick<Card, 'key_version'>,
): Promise<number> {
  const page = await db
    .selectFrom('many_pages as page')
    .leftJoin('cards as first', join =>
      join.onRef('first.order_id', '=', 'page.order_id').on('first.position', '=', 0),
    )
    .select(['page.purchase_key_version as own', 'first.key_version as first'])
    .where('page.order_id', '=', orderId)
    .executeTakeFirst()
  return page?.own ?? page?.first ?? card.key_version
}
