import { DAY_MS } from '#domain/durations.ts'
import { MINOR_UNITS_PER_UNIT, money } from '#domain/money/money.ts'
import { drawnPlace } from '#domain/public-ledger/draw.ts'
import { type AnnouncedCard, announcedCards } from '#server/modules/gifts/cards/announced-cards.ts'
import { cardsToDraw, type Drawn, type Place } from '#server/modules/gifts/cards/cards-to-draw.ts'
import { consume } from '#server/modules/gifts/cards/consume.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import { leftToDraw } from '#server/modules/gifts/holds.ts'
import { mailedOf, ordersOfMany } from '#server/modules/gifts/of-many.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { type SealedCard, type Sealer, sealOfCard } from '#server/modules/ledger/seals.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

/** The kind of the mail that tells a buyer which organisation it was. */
const AUTO_DONATED = 'auto-donated'

/** How many cards one transaction gives away. It is short, so that a visitor's request does not have to wait long. */
const BATCH = 10

export interface AutoDonateTools {
  readonly db: Database
  readonly keys: Sealer
  readonly clock: Clock
  /** A number from 0 to below `count`, each as likely, from a cryptographic source. */
  readonly draw: (count: number) => number
  readonly listedNgoIds: () => readonly string[]
  /** Is every draw announced in the public ledger? A card that was announced is never drawn for in another way. */
  readonly isAnnounced?: boolean
}

interface Donated {
  readonly looked: number
  readonly given: number
  /** Cards whose seal does not fit. */
  readonly waiting: readonly string[]
  /** Cards that wait for their draw, and since when there could have been one, epoch ms UTC. */
  readonly undrawn: readonly { readonly id: string; readonly since: number }[]
  readonly after: Place | undefined
}

/**
 * Gives away a few of the cards that nobody used in their term (product.md#a-year-later), or that were left to the draw.
 * Each goes whole to the organisation that its buyer named, if that is on the current list; else to one that is drawn for
 * this card alone. The draw takes the value that was announced for it, or the server's chance where nothing is announced. A
 * card that was left to the draw is drawn for, whomever its buyer named; its giver has had a letter of its use. How the
 * organisation was chosen is written down, and the buyer's mail is queued, in the same transaction. A card that its owner
 * uses at the same moment is left alone, since `consume` decides. A card whose seal does not fit waits: another hand may
 * have written its credit, its links or its day, and what is given cannot be taken back.
 * @param after where the last call ended: what waits is not looked at again
 * @param seeds the values of announcements that are known, by their ids
 * @returns how many are given and what was looked at, `looked` 0 when none is due; which cards wait, and where it ended
 */
export async function autoDonateSome({
  which = 'ended',
  db,
  keys,
  clock,
  draw,
  listedNgoIds,
  isAnnounced = false,
  seeds = new Map(),
  after,
}: AutoDonateTools & {
  readonly which?: Drawn
  readonly after?: Place | undefined
  readonly seeds?: ReadonlyMap<string, Uint8Array>
}): Promise<Donated> {
  const now = clock()
  const candidates = listedNgoIds()
  // A backup that was brought back may have cards of which their owners have disposed since.
  if ((await db.read(openRestoration)) !== undefined)
    return { looked: 0, given: 0, waiting: [], undrawn: [], after }
  if (candidates.length === 0) throw new Error('There is no organisation to give to.')
  const due = await db.read(reader => cardsToDraw(reader, which, { by: now, after }).limit(BATCH).execute())
  const last = due.at(-1)
  if (last === undefined) return { looked: 0, given: 0, waiting: [], undrawn: [], after }
  const whole = due.filter(card => card.seal === sealOfCard(keys, card))
  const waiting = due.filter(card => !whole.includes(card)).map(({ id }) => id)
  const ids = whole.map(({ id }) => id)
  const left = await db.read(reader => leftToDraw(reader, ids))
  const named = await db.read(reader =>
    namedOrganisations(
      reader,
      keys,
      whole.filter(({ id }) => !left.has(id)),
    ),
  )
  const announced = await db.read(reader => announcedCards(reader, ids))
  const chosen = whole.map(card => {
    const place = candidates.indexOf(named.get(card.id) ?? '')
    if (place !== -1) return { card, choice: { candidates, drawn: place, chosenBy: 'buyer' as const } }
    const known = announced.get(card.id)
    if (known !== undefined) return { card, choice: announcedChoice(known, { candidates, seeds }) }
    return { card, choice: isAnnounced ? undefined : ('chance' as const) }
  })
  const undrawn = chosen
    .filter(({ choice }) => choice === undefined)
    .map(({ card: { id, auto_donate_at: end } }) => ({
      id,
      since: Math.max(left.get(id) ?? end, announced.get(id)?.published?.drawAt ?? 0),
    }))
  return db.transaction(async trx => {
    const many = await ordersOfMany(trx, whole)
    let given = 0
    for (const {
      card: { email, ...card },
      choice,
    } of chosen) {
      if (choice === undefined) continue
      const { id } = card
      const isOurs = await giveAway(trx, keys, {
        card,
        ...(choice === 'chance'
          ? { candidates, drawn: draw(candidates.length), chosenBy: 'chance' }
          : choice),
        now,
      })
      if (!isOurs) continue
      given++
      if (email !== null && !left.has(id)) {
        const about = mailedOf(card, many)
        const dedupeKey = `${AUTO_DONATED}:${about}`
        await queueMail(trx, {
          kind: AUTO_DONATED,
          dedupeKey,
          payload: { cardId: id },
          // The cards of an order come one after the other: its one mail waits until all of them are given.
          runAt: about === id ? now : now + DAY_MS,
          queuedAt: now,
          subject: id,
        })
      }
    }
    const end = { at: last.auto_donate_at, id: last.id }
    return { looked: due.length, given, waiting, undrawn, after: end }
  })
}

/** How an organisation was chosen. */
interface Choice {
  readonly candidates: readonly string[]
  /** A place in the list. */
  readonly drawn: number
  readonly chosenBy: 'chance' | 'buyer'
  readonly announcement?: { readonly id: string; readonly gone: readonly number[] }
}

/** What the announced value draws for a card; undefined as long as it is not known, or nobody of the announced is listed. */
function announcedChoice(
  { blind, published }: AnnouncedCard,
  now: { readonly candidates: readonly string[]; readonly seeds: ReadonlyMap<string, Uint8Array> },
): Choice | undefined {
  const seed = published && now.seeds.get(published.id)
  if (seed === undefined) return undefined
  const { candidates } = published!.announcement
  // Who has left the list since gets nothing new.
  const gone = candidates.flatMap((id, place) => (now.candidates.includes(id) ? [] : [place]))
  if (gone.length === candidates.length) return undefined
  const drawn = drawnPlace(sha256, { seed, blind, count: candidates.length, gone })
  return { candidates, drawn, chosenBy: 'chance', announcement: { id: published!.id, gone } }
}

interface Gift extends Choice {
  readonly card: SealedCard
  readonly now: number
}

async function giveAway(
  trx: Writer,
  keys: Sealer,
  { card, candidates, drawn, chosenBy, announcement, now }: Gift,
): Promise<boolean> {
  const ngoId = candidates[drawn]
  if (ngoId === undefined) throw new RangeError('The draw is not of the list.')
  const credit = money(card.credit, card.currency)
  const points = Math.floor(credit.amount / MINOR_UNITS_PER_UNIT)
  const isOurs = await consume(trx, keys, {
    card,
    allocations: [{ ngoId, amount: credit, points }],
    cause: 'auto-donation',
    // No selection has this digest: whoever asks for the card afterwards hears that it is used.
    requestDigest: 'auto-donation',
    at: now,
  })
  if (!isOurs) return false
  await trx
    .insertInto('draws')
    .values({
      card_id: card.id,
      candidates: JSON.stringify(candidates),
      drawn,
      ngo_id: ngoId,
      chosen_by: chosenBy,
      created_at: now,
      announcement_id: announcement?.id ?? null,
      gone: announcement ? JSON.stringify(announcement.gone) : null,
    })
    .execute()
  return true
}
