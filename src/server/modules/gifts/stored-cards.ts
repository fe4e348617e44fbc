import { type Selectable, sql, type Updateable } from 'kysely'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import type { KeyKind } from '#domain/card/keys.ts'
import type { CardStatus } from '#domain/card/states.ts'
import type { Language } from '#domain/languages.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { ThemeId } from '#domain/themes.ts'
import { boughtWith } from '#server/modules/gifts/cards/by-address.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkDigestOf, checkWordOf } from '#server/modules/gifts/check-words.ts'
import {
  type SealedCard,
  type SealedInvitation,
  type Sealer,
  sealedAnew,
  sealOfCard,
  sealOfInvitation,
} from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import { prepared } from '#server/platform/db/prepared.ts'
import type { CardsTable, VolunteeringCard } from '#server/platform/db/schema.ts'

export type Card = Selectable<CardsTable>

/** The row of a card of each kind. A free card stands among those with a credit. */
export interface CardOf {
  readonly donation: Card
  readonly volunteering: VolunteeringCard
}

/** The columns that the seal covers. */
interface SealedCardOf {
  readonly donation: SealedCard
  readonly volunteering: SealedInvitation
}

/**
 * How the cards of each kind are kept: their table, the columns that hold the digests of their keys, their seal, and
 * what of a sealed card the product changes.
 */
export const STORED_CARDS = {
  donation: {
    table: 'cards',
    digests: { private_digest: 'private', public_digest: 'public' },
    sealOf: sealOfCard,
    moving: ['status', 'credit', 'key_version'],
  },
  volunteering: {
    table: 'volunteering_cards',
    digests: { key_digest: 'private' },
    sealOf: sealOfInvitation,
    moving: ['status', 'key_version'],
  },
} as const satisfies {
  readonly [Kind in GiftKind]: {
    readonly table: string
    readonly digests: Readonly<Partial<Record<keyof SealedCardOf[Kind], KeyKind>>>
    sealOf(keys: Sealer, card: SealedCardOf[Kind]): string
    readonly moving: readonly (keyof SealedCardOf[Kind])[]
  }
}

/** The tables that hold cards, of whichever kind. */
export const CARD_TABLES = ALL_GIFT_KINDS.map(kind => STORED_CARDS[kind].table)

/** A mail that is about a card, of whichever kind. A condition on `jobs`. */
export const isOfCard = sql<boolean>`(${sql.join(
  CARD_TABLES.map(
    table => sql`exists (select 1 from ${sql.table(table)} as card where card.id = jobs.subject)`,
  ),
  sql` or `,
)})`

/** Typed as one of them: what is asked of it below, every one of them has. */
const tableOf = (kind: GiftKind): 'cards' => STORED_CARDS[kind].table as 'cards'

/** The card of a kind that has this id. */
export async function storedCard<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  id: string,
): Promise<CardOf[Kind] | undefined> {
  const card = await db.selectFrom(tableOf(kind)).selectAll().where('id', '=', id).executeTakeFirst()
  return card as CardOf[Kind] | undefined
}

/**
 * The cards of a kind that were bought with an order, by their place in it: none before it is paid, and one unless the
 * order is of many.
 */
export async function cardsOfOrder<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  orderId: string,
): Promise<readonly CardOf[Kind][]> {
  const cards = await db.selectFrom(tableOf(kind)).selectAll().where('order_id', '=', orderId).execute()
  return inTheirPlaces(kind, cards)
}

/** Rows of `returning` come in no order. An invitation is the only one of its order. */
const inTheirPlaces = <Kind extends GiftKind>(kind: Kind, cards: readonly Card[]) =>
  (kind === 'donation'
    ? cards.toSorted((a, b) => a.position - b.position)
    : cards) as unknown as readonly CardOf[Kind][]

const digestColumns = (kind: GiftKind) =>
  Object.entries(STORED_CARDS[kind].digests) as readonly ['private_digest', KeyKind][]

/** Every request of a recipient asks it. */
const byDigest = (kind: GiftKind) =>
  prepared(['digest'], (db, { digest }) =>
    db
      .selectFrom(tableOf(kind))
      .selectAll()
      .where(eb => eb.or(digestColumns(kind).map(([column]) => eb(column, '=', digest)))),
  )

const CARD_BY_DIGEST = {
  donation: byDigest('donation'),
  volunteering: byDigest('volunteering'),
} satisfies Record<GiftKind, unknown>

/**
 * The card of a kind with this digest in the column of one of its keys, and which key that is. The same work whether
 * there is one or not.
 */
export async function cardOfDigest<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  digest: string,
): Promise<{ readonly card: CardOf[Kind]; readonly keyKind: KeyKind } | undefined> {
  const columns = digestColumns(kind)
  const [card] = await CARD_BY_DIGEST[kind](db, { digest })
  const found = columns.find(([column]) => card?.[column] === digest)
  return found && { card: card as CardOf[Kind], keyKind: found[1] }
}

/**
 * Finds the card and locks its row until the transaction ends. The lock is an update that changes nothing, since that
 * works on both engines.
 */
export async function lockCard<Kind extends GiftKind>(
  trx: Writer,
  kind: Kind,
  id: string,
): Promise<CardOf[Kind] | undefined> {
  const [card] = await locked(trx, kind, 'id', id)
  return card
}

/**
 * The same for the cards of an order, by their place in it. Whoever locks an order as well locks that first: of many cards
 * two transactions could else each hold some.
 */
export const lockCardsOfOrder = <Kind extends GiftKind>(
  trx: Writer,
  kind: Kind,
  orderId: string,
): Promise<readonly CardOf[Kind][]> => locked(trx, kind, 'order_id', orderId)

/**
 * Locks the orders of some cards, before those of them are locked one by one: whoever holds an order of many may lock all
 * of its cards. One after the other in the order of their ids, so that two who lock several never wait for each other.
 */
export async function lockOrdersOf(trx: Writer, cardIds: readonly string[]): Promise<void> {
  const rows = await trx
    .selectFrom('cards')
    .select('order_id')
    .distinct()
    .where('id', 'in', cardIds)
    .where('order_id', 'is not', null)
    .orderBy('order_id')
    .execute()
  for (const { order_id: id } of rows)
    await trx
      .updateTable('orders')
      .set(eb => ({ expires_at: eb.ref('expires_at') }))
      .where('id', '=', id)
      .execute()
}

async function locked<Kind extends GiftKind>(
  trx: Writer,
  kind: Kind,
  column: 'id' | 'order_id',
  value: string,
): Promise<readonly CardOf[Kind][]> {
  const cards = await trx
    .updateTable(tableOf(kind))
    .set(eb => ({ status: eb.ref('status') }))
    .where(column, '=', value)
    .returningAll()
    .execute()
  return inTheirPlaces(kind, cards)
}

/** The columns that every new card has, whatever its kind. */
export function newCardRow<Kind extends GiftKind>(
  keys: CardKeys,
  kind: Kind,
  card: {
    readonly themeId: ThemeId
    /** null when anonymous. */
    readonly senderName: string | null
    readonly language: Language
    /** Where its mails go: the address that the payment (or the claim) gave. */
    readonly email: string | null
    /** Epoch ms UTC. */
    readonly createdAt: number
    /** Of its keys; the first one when missing. */
    readonly keyVersion?: number | undefined
  },
) {
  const id = newId(card.createdAt)
  return {
    id,
    status: 'active' as const,
    theme_id: card.themeId,
    sender_name: card.senderName,
    language: card.language,
    email: card.email,
    created_at: card.createdAt,
    ...linksOf(keys, kind, id, card.keyVersion ?? keys.firstVersion),
  }
}

/** What a gift's check word tells of it. */
export interface CardOfWord {
  readonly kind: CardsTable['kind'] | 'volunteering'
  readonly status: CardStatus
  readonly createdAt: number
}

/** The card of a kind whose check word has this digest, if there is one; of several the first that was made. */
export async function cardOfCheckDigest(
  db: Reader,
  kind: GiftKind,
  digest: string,
): Promise<readonly CardOfWord[]> {
  const cards = await db
    .selectFrom(tableOf(kind))
    .select(['status', 'created_at'])
    .$if(kind === 'donation', query => query.select('kind'))
    .where('check_digest', '=', digest)
    .orderBy('created_at')
    .limit(1)
    .execute()
  return cards.map(card => ({
    kind: card.kind ?? 'volunteering',
    status: card.status,
    createdAt: card.created_at,
  }))
}

/** What the links of a card are made with. */
export type LinkKeys = Pick<CardKeys, 'privateKey' | 'publicKey' | 'digest' | 'keyedDigest'>

/** The columns that say which links open a card, and which word tells that it is real. */
export function linksOf<Kind extends GiftKind>(
  keys: LinkKeys,
  kind: Kind,
  cardId: string,
  version: number,
): { readonly key_version: number; readonly check_digest: string } & Readonly<
  Record<keyof (typeof STORED_CARDS)[Kind]['digests'], string>
> {
  const keyOf = { private: keys.privateKey, public: keys.publicKey }
  const digests = Object.entries(STORED_CARDS[kind].digests).map(
    ([column, key]) => [column, keys.digest(keyOf[key as KeyKind](cardId, version))] as const,
  )
  const word = checkWordOf(keys.privateKey(cardId, version))
  const check = { check_digest: checkDigestOf(keys, word) }
  return { key_version: version, ...check, ...Object.fromEntries(digests) } as never
}

/** The seal that a card of a kind must have. */
export function sealOfStored<Kind extends GiftKind>(
  keys: Sealer,
  kind: Kind,
  card: SealedCardOf[Kind],
): string {
  // Typed as one of them, since the compiler does not tell that a kind's card goes with its seal.
  const sealOf = STORED_CARDS[kind].sealOf as typeof sealOfCard
  return sealOf(keys, card as SealedCard)
}

/**
 * Changes what the seal of a card covers, and seals it anew. The update itself asks whether the card is still as it was
 * read: it may have been used, or frozen, a dispute may have taken some of its credit, or its links were replaced.
 * @returns false, with nothing written, when it is not
 */
export async function changeCard<Kind extends GiftKind>(
  trx: Writer,
  keys: Sealer,
  kind: Kind,
  card: SealedCardOf[Kind],
  set: Partial<SealedCard> | Partial<SealedInvitation>,
): Promise<boolean> {
  const { sealOf, moving } = STORED_CARDS[kind]
  const read = card as SealedCard
  const seal = sealedAnew(keys, sealOf as typeof sealOfCard, read, { ...read, ...set } as SealedCard)
  let update = trx
    .updateTable(tableOf(kind))
    .set({ ...set, seal } as Updateable<CardsTable>)
    .where('id', '=', card.id)
  for (const column of moving) update = update.where(column, '=', read[column])
  return (await update.returning('id').executeTakeFirst()) !== undefined
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
