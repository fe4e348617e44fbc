import { sql } from 'kysely'
import { authorityOf } from '#domain/card/keys.ts'
import { DAY_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import { commonWord, type Wish } from '#domain/wish/wish.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { Wishes } from '#server/modules/gifts/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** A wish that nobody has changed for so long is deleted. */
const KEPT_MS = 365 * DAY_MS
const BATCH = 100

interface WishTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
}

/** Makes what recipients may wish for. */
export const createWishes = (tools: WishTools): Wishes => ({ keep: (key, wish) => keep(tools, key, wish) })

/** Keeps the wish of a card that can be given, in place of an earlier one. */
async function keep({ db, keys, clock }: WishTools, key: string, { name, hint }: Wish): Promise<void> {
  await db.transaction(async trx => {
    const { card, keyKind } = await findByKey(trx, keys, 'donation', key)
    if (authorityOf(keyKind, 'full') !== 'full') throw new Problem('card-not-found')
    if (card.status !== 'active') throw new Problem('card-consumed')
    // The same words again are as new as the others, and asked to be looked at again.
    const row = { name, hint, common_word: commonWord(name), changed_at: clock(), looked_at: null }
    await trx
      .insertInto('wishes')
      .values({ card_id: card.id, ...row })
      .onConflict(conflict => conflict.column('card_id').doUpdateSet(row))
      .execute()
  })
}

/** Takes the wishes of some cards. */
export async function forgetWishesOf(trx: Writer, cardIds: readonly string[]): Promise<void> {
  if (cardIds.length === 0) return
  await trx.deleteFrom('wishes').where('card_id', 'in', cardIds).execute()
}

/** Deletes some wishes whose year is over. @param now epoch ms UTC @returns how many; 0 when done */
export async function forgetOldWishes(db: Database, now: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('wishes')
      .where('card_id', 'in', eb =>
        eb
          .selectFrom('wishes')
          .select('card_id')
          .where('changed_at', '<', now - KEPT_MS)
          .limit(BATCH),
      )
      .returning('card_id')
      .execute(),
  )
  return gone.length
}

/** An organisation that recipients miss: all spellings of one name together. */
export interface WishedFor {
  /** What the spellings have in common; names it in calls. */
  readonly word: string
  /** Spellings and hints as they were written, the newest first, each once. Plain text of strangers. */
  readonly names: readonly string[]
  readonly hints: readonly string[]
  /** How many cards wish for it. */
  readonly cards: number
  /** Those that nobody has looked at. */
  readonly unseen: number
  /** When it was wished for last, epoch ms UTC. */
  readonly newestAt: number
}

/** What was on the screen when its button was pressed. */
export interface SeenWish {
  readonly word: string
  /** `newestAt` as it was shown, epoch ms UTC. */
  readonly until: number
}

/** As many as somebody reads at once. */
const MOST_SHOWN = 100
const MOST_SPELLINGS = 5
/** Words of a crowd that wishes for one organisation are not all read. */
const MOST_READ = 2000

/** The wishes by their word, the newest first. */
export async function listWishes(db: Reader): Promise<readonly WishedFor[]> {
  const words = await db
    .selectFrom('wishes')
    .select('common_word')
    .select(sql<number>`count(*)`.as('cards'))
    .select(sql<number>`sum(case when looked_at is null then 1 else 0 end)`.as('unseen'))
    .select(sql<number>`max(changed_at)`.as('newest'))
    .groupBy('common_word')
    .orderBy('newest', 'desc')
    .orderBy('common_word')
    .limit(MOST_SHOWN)
    .execute()
  if (words.length === 0) return []
  const rows = await db
    .selectFrom('wishes')
    .select(['common_word', 'name', 'hint'])
    .where(
      'common_word',
      'in',
      words.map(({ common_word }) => common_word),
    )
    .orderBy('changed_at', 'desc')
    .limit(MOST_READ)
    .execute()
  const said = Map.groupBy(rows, row => row.common_word)
  return words.map(({ common_word: word, cards, unseen, newest }) => {
    const own = said.get(word) ?? []
    const names = someOf(own.map(({ name }) => name))
    return {
      word,
      names: names.length > 0 ? names : [word],
      hints: someOf(own.flatMap(({ hint }) => hint ?? [])),
      cards: Number(cards),
      unseen: Number(unseen),
      newestAt: Number(newest),
    }
  })
}

const someOf = (texts: readonly string[]): readonly string[] => [...new Set(texts)].slice(0, MOST_SPELLINGS)

/** Marks the wishes for a word as looked at, up to the newest that was shown. @returns how many @param now epoch ms UTC */
export async function markLookedAt(trx: Writer, { word, until }: SeenWish, now: number): Promise<number> {
  const rows = await trx
    .updateTable('wishes')
    .set({ looked_at: now })
    .where('common_word', '=', word)
    .where('changed_at', '<=', until)
    .where('looked_at', 'is', null)
    .returning('card_id')
    .execute()
  return rows.length
}
