import type { Selectable } from 'kysely'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { boughtWith } from '#server/modules/gifts/cards/by-address.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { CardsTable, VolunteeringCard } from '#server/platform/db/schema.ts'

export type Card = Selectable<CardsTable>

/** The row of a card of each kind. A free card stands among those with a credit. */
export interface CardOf {
  readonly donation: Card
  readonly volunteering: VolunteeringCard
}

/** Typed as one of them: what is asked of it below, every one of them has. */
const TABLES = { donation: 'cards', volunteering: 'volunteering_cards' } as const satisfies Record<
  GiftKind,
  string
>
const tableOf = (kind: GiftKind): 'cards' => TABLES[kind] as 'cards'

/** Both are unique. */
type Column = 'id' | 'order_id'

/** The card of a kind that has this id, or was bought with this order. */
export async function storedCard<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  column: Column,
  value: string,
): Promise<CardOf[Kind] | undefined> {
  const card = await db.selectFrom(tableOf(kind)).selectAll().where(column, '=', value).executeTakeFirst()
  return card as CardOf[Kind] | undefined
}

/**
 * The same, and keeps every other transaction away from it until this one ends. An update that changes nothing, since
 * that locks the row on both engines.
 */
export async function lockCard<Kind extends GiftKind>(
  trx: Writer,
  kind: Kind,
  column: Column,
  value: string,
): Promise<CardOf[Kind] | undefined> {
  const card = await trx
    .updateTable(tableOf(kind))
    .set(eb => ({ status: eb.ref('status') }))
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst()
  return card as CardOf[Kind] | undefined
}

/** The unused cards of a kind that were bought with an address, newest first; an invitation is never used up. */
export async function unusedCardsOf<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  address: string | null,
): Promise<readonly CardOf[Kind][]> {
  const cards: readonly (Card | VolunteeringCard)[] = await db
    .selectFrom(tableOf(kind))
    .selectAll()
    .where('status', '=', 'active')
    .where(boughtWith(address))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return cards as readonly CardOf[Kind][]
}

/** The id of one of them; undefined where there is none. */
export async function unusedCardOf(db: Reader, kind: GiftKind, address: string): Promise<string | undefined> {
  const card = await db
    .selectFrom(tableOf(kind))
    .select('id')
    .where('status', '=', 'active')
    .where(boughtWith(address))
    .limit(1)
    .executeTakeFirst()
  return card?.id
}
