import { randomBytes } from 'node:crypto'
import { dayInUtc } from '#domain/days.ts'
import { HOUR_MS } from '#domain/durations.ts'
import { type Chain, firstRoundAt, timeOfRound } from '#domain/public-ledger/drand.ts'
import {
  type Announcement,
  announcementParts,
  commitmentOfSecret,
  MOST_ANNOUNCED,
} from '#domain/public-ledger/draw.ts'
import { blindOf } from '#domain/public-ledger/leaf.ts'
import { earliestDraw } from '#domain/public-ledger/recompute.ts'
import { cardsToDraw, type Drawn, type Place } from '#server/modules/gifts/cards/cards-to-draw.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { type SealedCard, type Sealer, sealOfCard } from '#server/modules/ledger/seals.ts'
import { enterAnnouncement } from '#server/modules/public-ledger/enter.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'

/**
 * So long before their last day ends, cards are announced. The head of the next day has the announcement, and a whole day is
 * left after it.
 */
const AHEAD_MS = 60 * HOUR_MS
/** A head is signed some time after midnight, and a whole day lies between it and the value. */
const HEAD_MS = HOUR_MS
const NONCE_BYTES = 32
const SECRET_BYTES = 32

interface AnnounceTools {
  readonly db: Database
  readonly keys: Sealer
  readonly clock: Clock
  readonly listedNgoIds: () => readonly string[]
}

/** What draws are made by: a chain of drand, or a witness of the public ledger, by its key as people write it. */
export type DrawnBy = { readonly chain: Chain } | { readonly witness: string }

interface Announced {
  readonly looked: number
  readonly announced: number
  readonly after: Place | undefined
}

/** Another process announces these cards in this moment. */
class Overtaken extends Error {}

/**
 * Announces some of the cards whose term ends soon, or that were left to the draw (product.md#the-draw). The announced value
 * comes a day after everybody can read the announcement, and is not used before the term ends. Two kinds of cards are passed
 * over: those whose seal does not fit, and those whose buyer named an organisation of the list, unless their recipient left
 * them to the draw. What was announced and not published in time is announced again.
 * @param after where the last call ended
 */
export async function announceSome(
  { db, keys, clock, listedNgoIds }: AnnounceTools,
  by: DrawnBy,
  which: Drawn = 'ended',
  after?: Place,
): Promise<Announced> {
  const now = clock()
  const candidates = listedNgoIds()
  if (candidates.length === 0) throw new Error('There is no organisation to give to.')
  const due = await db.read(reader => unannounced(reader, which, { now, after }))
  const last = due.at(-1)
  if (last === undefined) return { looked: 0, announced: 0, after }
  const whole = due.filter(card => card.seal === sealOfCard(keys, card))
  const named = await db.read(reader => namedOrganisations(reader, keys, which === 'left' ? [] : whole))
  const drawnFor = whole.filter(({ id }) => !candidates.includes(named.get(id) ?? ''))
  const earliest = earliestDraw(dayInUtc(now)) + HEAD_MS
  const groups = Map.groupBy(drawnFor, ({ auto_donate_at: end }) =>
    which === 'left' ? earliest : Math.max(end, earliest),
  )
  let announced = 0
  for (const [notBefore, cards] of groups) {
    try {
      await db.transaction(trx => announce(trx, { cards, by, notBefore, candidates, now }))
      announced += cards.length
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error
    }
  }
  return { looked: due.length, announced, after: { at: last.auto_donate_at, id: last.id } }
}

/** The next cards that are in no announcement that counts, or may yet count. */
function unannounced(
  db: Reader,
  which: Drawn,
  { now, after }: { readonly now: number; readonly after: Place | undefined },
): Promise<readonly SealedCard[]> {
  return cardsToDraw(db, which, { by: now + AHEAD_MS, after })
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('draw_cards')
            .innerJoin('draw_announcements', 'draw_announcements.id', 'draw_cards.announcement_id')
            .select('draw_cards.card_id')
            .whereRef('draw_cards.card_id', '=', 'cards.id')
            .where(each => each.or([each('published_at', 'is not', null), each('draw_at', '>', now)])),
        ),
      ),
    )
    .limit(MOST_ANNOUNCED)
    .execute()
}

interface Announcing {
  readonly cards: readonly SealedCard[]
  readonly by: DrawnBy
  /** Epoch ms UTC. */
  readonly notBefore: number
  readonly candidates: readonly string[]
  readonly now: number
}

/** @throws Overtaken */
async function announce(trx: Writer, { cards, by, notBefore, candidates, now }: Announcing): Promise<void> {
  const id = newId(now)
  const before = await trx
    .selectFrom('draw_cards')
    .innerJoin('draw_announcements', 'draw_announcements.id', 'draw_cards.announcement_id')
    .select(['card_id', 'attempt', 'blind', 'nonce', 'draw_at', 'published_at'])
    .where(
      'card_id',
      'in',
      cards.map(card => card.id),
    )
    .orderBy('attempt')
    .execute()
  // They may have been announced since they were looked for.
  if (before.some(each => each.published_at !== null || each.draw_at > now)) throw new Overtaken()
  const lastOf = new Map(before.map(row => [row.card_id, row]))
  const rows = cards.map(card => {
    const last = lastOf.get(card.id)
    const nonce = last === undefined ? randomBytes(NONCE_BYTES).toString('hex') : last.nonce
    // The same in every announcement: that a card is announced again cannot be hidden.
    const blind = last?.blind ?? blindOf(sha256, String(nonce), 'auto')
    return { card_id: card.id, attempt: (last?.attempt ?? 0) + 1, announcement_id: id, blind, nonce }
  })
  const blinds = rows.map(({ blind }) => blind).sort()
  const { announcement, drawAt, secret } = announcementBy(by, { notBefore, due: { candidates, blinds } })
  const terms = JSON.stringify(announcementParts(announcement))
  await trx
    .insertInto('draw_announcements')
    .values({ id, terms, draw_at: drawAt, created_at: now, secret })
    .execute()
  const isOurs = await trx
    .insertInto('draw_cards')
    .values(rows)
    .onConflict(conflict => conflict.columns(['card_id', 'attempt']).doNothing())
    .returning('card_id')
    .execute()
  if (isOurs.length < rows.length) throw new Overtaken()
  await enterAnnouncement(trx, id, now)
}

interface AnnouncedBy {
  readonly announcement: Announcement
  /** Epoch ms UTC. */
  readonly drawAt: number
  /** Hex: kept back until the draw. */
  readonly secret: string | null
}

function announcementBy(
  by: DrawnBy,
  {
    notBefore,
    due,
  }: { readonly notBefore: number; readonly due: Pick<Announcement, 'candidates' | 'blinds'> },
): AnnouncedBy {
  if ('chain' in by) {
    const { chain } = by
    const round = firstRoundAt(chain, notBefore)
    const announcement = { by: 'drand', chain, round, ...due } as const
    return { announcement, drawAt: timeOfRound(chain, round), secret: null }
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const commitment = commitmentOfSecret(sha256, secret)
  const announcement = { by: 'witness', commitment, witness: by.witness, ...due } as const
  return { announcement, drawAt: notBefore, secret }
}
