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
 * The card of a kind with this digest in the column of one of its keys, and which key that is. The same work whether
 * there is one or not.
 */
export async function cardOfDigest<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  digest: string,
): Promise<{ readonly card: CardOf[Kind]; readonly keyKind: KeyKind } | undefined> {
  const columns = Object.entries(STORED_CARDS[kind].digests) as ['private_digest', KeyKind][]
  const card = await db
    .selectFrom(tableOf(kind))
    .selectAll()
    .where(eb => eb.or(columns.map(([column]) => eb(column, '=', digest))))
    .executeTakeFirst()
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
    ...linksOf(keys, kind, id, keys.firstVersion),
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

/** The columns that say which links open a card, and which word tells that it is real. */
export function linksOf<Kind extends GiftKind>(
  keys: CardKeys,
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
