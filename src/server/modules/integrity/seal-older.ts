import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { amissOf, amissOfInvitation } from '#server/modules/integrity/check-seals.ts'
import {
  BROKEN,
  sealOfCard,
  sealOfInvitation,
  sealOfOrder,
  sealOfRedemption,
  sealOfReversal,
} from '#server/modules/ledger/seals.ts'
import type { Database } from '#server/platform/db/database.ts'
import { cardPage, invitationPage, orderPage, redemptionPage, reversalPage } from './sealed-rows.ts'

/** Short enough that a visitor's request between two of them waits for nothing. */
const BATCH = 50

/** Looks at some rows after an id, '' to begin, and seals those without a seal. `after` undefined: that was the last. */
export type SealSome = (
  after: string,
) => Promise<{ readonly sealed: number; readonly after: string | undefined }>

/** For each table that has seals. What can be worked out anew, and is another thing, gets a broken one. */
export function sealers(db: Database, keys: CardKeys): readonly SealSome[] {
  const over =
    <Row extends { readonly seal: string | null }>(
      page: (after: string) => Promise<readonly Row[]>,
      idOf: (row: Row) => string,
      seal: (row: Row) => Promise<unknown>,
    ): SealSome =>
    async after => {
      const rows = await page(after)
      const bare = rows.filter(row => row.seal === null)
      for (const row of bare) await seal(row)
      const last = rows.at(-1)
      return { sealed: bare.length, after: last && rows.length === BATCH ? idOf(last) : undefined }
    }
  const orders = over(
    after => db.read(reader => orderPage(reader, after, BATCH)),
    ({ id }) => id,
    order =>
      db.transaction(trx =>
        trx
          .updateTable('orders')
          .set({ seal: sealOfOrder(keys, order) })
          .where('id', '=', order.id)
          .where('seal', 'is', null)
          .execute(),
      ),
  )
  const cards = over(
    after => db.read(reader => cardPage(reader, after, BATCH)),
    ({ id }) => id,
    card =>
      db.transaction(trx =>
        trx
          .updateTable('cards')
          .set({ seal: amissOf(keys, card).length > 0 ? BROKEN : sealOfCard(keys, card) })
          .where('id', '=', card.id)
          .where('seal', 'is', null)
          // It may have been used, or got new links, since it was read: then the next look seals it.
          .where('status', '=', card.status)
          .where('credit', '=', card.credit)
          .where('key_version', '=', card.key_version)
          .execute(),
      ),
  )
  const invitations = over(
    after => db.read(reader => invitationPage(reader, after, BATCH)),
    ({ id }) => id,
    card =>
      db.transaction(trx =>
        trx
          .updateTable('volunteering_cards')
          .set({ seal: amissOfInvitation(keys, card).length > 0 ? BROKEN : sealOfInvitation(keys, card) })
          .where('id', '=', card.id)
          .where('seal', 'is', null)
          .where('status', '=', card.status)
          .where('key_version', '=', card.key_version)
          .execute(),
      ),
  )
  const redemptions = over(
    after => db.read(reader => redemptionPage(reader, after, BATCH)),
    row => row.card_id,
    row =>
      db.transaction(trx =>
        trx
          .updateTable('redemptions')
          .set({ seal: sealOfRedemption(keys, row, row.allocations) })
          .where('card_id', '=', row.card_id)
          .where('seal', 'is', null)
          .execute(),
      ),
  )
  const reversals = over(
    after => db.read(reader => reversalPage(reader, after, BATCH)),
    row => row.order_id,
    row =>
      db.transaction(trx =>
        trx
          .updateTable('reversals')
          .set({ seal: sealOfReversal(keys, row) })
          .where('order_id', '=', row.order_id)
          .where('seal', 'is', null)
          .where('updated_at', '=', row.updated_at)
          .execute(),
      ),
  )
  return [orders, cards, invitations, redemptions, reversals]
}
