import { MINOR_UNITS_PER_UNIT, money } from '#domain/money/money.ts'
import { consume } from '#server/modules/gifts/cards/consume.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { CARD_SEALED, type SealedCard, type Sealer, sealOfCard } from '#server/modules/ledger/seals.ts'
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
}

/** A card's place among those that are due. */
interface Place {
  readonly at: number
  readonly id: string
}

interface Donated {
  readonly looked: number
  readonly given: number
  readonly waiting: readonly string[]
  readonly after: Place | undefined
}

/**
 * Gives away a few of the cards that nobody used in their term (product.md#a-year-later): each whole, to the
 * organisation that its buyer named, if that is on the current list, else to one of the list that is drawn for it
 * alone. How it was chosen is written down beside it and its buyer's mail queued, in one transaction. A card that its
 * owner uses at the same moment is left alone, since `consume` decides. A card whose seal does not fit waits: another
 * hand may have written its credit, its links or its day, and what is given cannot be taken back.
 * @param after where the last call ended: what waits is not looked at again
 * @returns how many are given and what was looked at, `looked` 0 when none is due; which cards wait, and where it ended
 */
export async function autoDonateSome({
  db,
  keys,
  clock,
  draw,
  listedNgoIds,
  after,
}: AutoDonateTools & { readonly after?: Place | undefined }): Promise<Donated> {
  const now = clock()
  const candidates = listedNgoIds()
  if (candidates.length === 0) throw new Error('There is no organisation to give to.')
  const due = await db.read(reader =>
    reader
      .selectFrom('cards')
      .select([...CARD_SEALED, 'email'])
      .where('status', '=', 'active')
      .where('auto_donate_at', '<=', now)
      .$if(after !== undefined, query =>
        query
          .where('auto_donate_at', '>=', after!.at)
          .where(eb => eb.or([eb('auto_donate_at', '>', after!.at), eb('id', '>', after!.id)])),
      )
      .orderBy('auto_donate_at')
      .orderBy('id')
      .limit(BATCH)
      .execute(),
  )
  const last = due.at(-1)
  if (last === undefined) return { looked: 0, given: 0, waiting: [], after }
  const whole = due.filter(card => card.seal === sealOfCard(keys, card))
  const waiting = due.filter(card => !whole.includes(card)).map(({ id }) => id)
  const named = await db.read(reader => namedOrganisations(reader, keys, whole))
  return db.transaction(async trx => {
    let given = 0
    for (const { email, ...card } of whole) {
      const { id } = card
      const place = candidates.indexOf(named.get(id) ?? '')
      const isOurs = await giveAway(trx, keys, {
        card,
        candidates,
        drawn: place === -1 ? draw(candidates.length) : place,
        chosenBy: place === -1 ? 'chance' : 'buyer',
        now,
      })
      if (!isOurs) continue
      given++
      if (email !== null) {
        const dedupeKey = `${AUTO_DONATED}:${id}`
        await queueMail(trx, {
          kind: AUTO_DONATED,
          dedupeKey,
          payload: { cardId: id },
          runAt: now,
          subject: id,
        })
      }
    }
    return { looked: due.length, given, waiting, after: { at: last.auto_donate_at, id: last.id } }
  })
}

interface Gift {
  readonly card: SealedCard
  readonly candidates: readonly string[]
  /** A place in the list. */
  readonly drawn: number
  readonly chosenBy: 'chance' | 'buyer'
  readonly now: number
}

async function giveAway(
  trx: Writer,
  keys: Sealer,
  { card, candidates, drawn, chosenBy, now }: Gift,
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
    })
    .execute()
  return true
}
