import { isRefundUnderWay, takesHold } from '#domain/card/holds.ts'
import { type CardStatus, isOpenToUse, isVisible } from '#domain/card/states.ts'
import {
  type Act,
  type ActName,
  holdRefusal,
  isOfWholeOrder,
  type ReleasedCard,
  releaseRefusal,
} from '#domain/desk/acts.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueAgain } from '#server/modules/gifts/confirmation-jobs.ts'
import {
  cardsHeld,
  heldSince,
  holdCard,
  holdsOn,
  nameOfFollowed,
  noteHold,
} from '#server/modules/gifts/holds.ts'
import { blankWords, blankWordsOfOrder } from '#server/modules/gifts/messages.ts'
import { readdress } from '#server/modules/gifts/readdress.ts'
import {
  type CardOf,
  changeCard,
  linksOf,
  lockCard,
  lockCardsOfOrder,
  lockOrdersOf,
} from '#server/modules/gifts/stored-cards.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { sightedAt } from '#server/platform/db/sightings.ts'
import { type ActParts, type DeskActParts, refuse } from './act-parts.ts'
import { type FoundCard, type FoundMany, findCard, findMany } from './card-file.ts'
import { giveBack } from './give-back.ts'
import { isNoted, noteOf, type Press, writeNote } from './press-notes.ts'

/** What became of an act. */
export interface Done {
  readonly card: string
  /** The same press was carried out before; nothing was done again. */
  readonly isRepeated: boolean
}

/**
 * Carries out an act of the Studio once: its note in the audit log, written in the transaction of the act, is named after
 * the press. Problems: card-not-found, act-refused, provider-unavailable.
 */
export async function act(parts: DeskActParts, asked: Act, press: Press): Promise<Done> {
  const found = isIdShaped(asked.card)
    ? await parts.db.read(async reader => {
        const one = await findCard(reader, asked.card)
        return one && { ...one, many: await findMany(reader, asked.card) }
      })
    : undefined
  if (found === undefined) throw new Problem('card-not-found')
  const { giftKind, card, many } = found
  // Where an order of many is named, it is all of its cards, or else nobody knows which one.
  if (many !== undefined && !isOfWholeOrder(asked.act)) return refuse('which-card')
  const note = noteOf(press, ACTIONS[asked.act], many?.orderId ?? card.id)
  if (await isNoted(parts.db, note)) return { card: card.id, isRepeated: true }
  if (asked.act === 'refund') {
    await giveBack(parts, { giftKind, card, orderId: card.order_id }, asked, note.id)
    await parts.db.transaction(trx => writeNote(trx, note, parts.clock()))
    return { card: card.id, isRepeated: false }
  }
  const followed = asked.act === 'release' ? await followLeftOver(parts, many?.cards ?? [card]) : undefined
  const isNew = await parts.db.transaction(async trx => {
    if (!(await writeNote(trx, note, parts.clock()))) return false
    await carryOut(trx, parts, { ...found, followed }, { ...asked, card: card.id })
    return true
  })
  parts.onQueued()
  return { card: card.id, isRepeated: !isNew }
}

const ACTIONS: Readonly<Record<ActName, string>> = {
  resend: 'resend',
  address: 'address',
  links: 'links',
  hold: 'hold',
  release: 'release',
  blank: 'blank-message',
  refund: 'refund',
}

type ActedOn = FoundCard & { readonly many?: FoundMany | undefined } & Pick<AskedHold, 'followed'>

function carryOut(
  trx: Writer,
  parts: ActParts,
  { giftKind, card: row, many, followed }: ActedOn,
  asked: Exclude<Act, { act: 'refund' }>,
): Promise<unknown> {
  const { card } = asked
  switch (asked.act) {
    case 'resend':
      return resend(trx, parts, card)
    case 'address':
      return correctAddress(trx, parts.keys, { giftKind, cardId: card, typed: asked.email }).then(() =>
        resend(trx, parts, card),
      )
    case 'links':
      return replaceLinks(trx, parts, giftKind, card).then(() => resend(trx, parts, card))
    case 'hold':
    case 'release': {
      const stands = asked.act === 'hold'
      const set = many
        ? setHoldOfMany(trx, parts, many, { stands, followed })
        : setHold(trx, parts, giftKind, { card, stands, followed }).then(one => [one])
      return set.then(cards => {
        const refusal = stands ? holdRefusal(cards) : releaseRefusal(cards)
        if (refusal !== undefined) refuse(refusal)
      })
    }
    case 'blank':
      return many ? blankWordsOfOrder(trx, many.orderId) : blankWords(trx, row)
  }
}

/**
 * Asks the payment provider about the orders of cards that a refund of which nothing was heard still holds: it may have been made,
 * and its event may be late. Problem provider-unavailable.
 * @returns since when those hold their cards
 */
async function followLeftOver(
  { db, clock, follow }: DeskActParts,
  cards: readonly { readonly id: string; readonly order_id: string | null }[],
): Promise<ReadonlyMap<string, number>> {
  const ids = cards.map(({ id }) => id)
  const now = clock()
  const held = await db.read(reader => cardsHeld(reader, ids, 'refund'))
  const leftOver = new Map([...held].filter(([, since]) => !isRefundUnderWay(since, now)))
  const orders = cards.flatMap(({ id, order_id: order }) => (leftOver.has(id) ? (order ?? []) : []))
  for (const order of new Set(orders)) await follow(order)
  return leftOver
}

/** Queues a card's mail once more; one that waits is tried now. Problem act-refused. */
async function resend(trx: Writer, { clock }: ActParts, cardId: string): Promise<void> {
  const outcome = await queueAgain(trx, cardId, clock())
  if (outcome === 'card-not-found') refuse('not-shown')
  if (outcome === 'no-address') refuse('no-address')
}

/**
 * Corrects the address that the mails of a card go to; of a card of many, those of its whole order. Whoever has it gets the
 * links, and may replace them.
 * @returns was it another one, and how many cards is it of? Problem act-refused where it is no address
 */
export async function correctAddress(
  trx: Writer,
  keys: Pick<CardKeys, 'nextVersion'>,
  { giftKind, cardId, typed }: Corrected,
): Promise<{ readonly cards: number; readonly isNew: boolean }> {
  const email = typed.trim()
  if (!isMailAddress(email)) refuse('not-an-address')
  const done = await readdress(trx, keys, { giftKind, cardId, email })
  if (!done) throw new Problem('card-not-found')
  return done
}

interface Corrected {
  readonly giftKind: GiftKind
  readonly cardId: string
  readonly typed: string
}

/** Gives a card new keys: the links that were sent are dead from the same moment on. Problem act-refused. */
async function replaceLinks(
  trx: Writer,
  { keys }: ActParts,
  giftKind: GiftKind,
  cardId: string,
): Promise<void> {
  const card = await lockCard(trx, giftKind, cardId)
  if (!card) throw new Problem('card-not-found')
  // A used card keeps the links by which its giver sees that it was used.
  if (!isVisible(card.status) || !isOpenToUse(card.status)) refuse('not-shown')
  if (card.email === null) refuse('no-address')
  const links = linksOf(keys, giftKind, cardId, keys.nextVersion(card.key_version))
  if (!(await changeCard(trx, keys, giftKind, card as never, links))) refuse('changed')
}

/** What an act made of the operator's hold on a card, and what it found there before. */
export interface SetHold extends ReleasedCard {
  readonly status: CardStatus
}

/** What is asked of a hold. */
export interface AskedHold {
  readonly stands: boolean
  /**
   * Since when refunds hold their cards about which the payment provider was asked just before, epoch ms UTC by card. One that became
   * a left-over after that look is not among them: nobody knows what was made of it. Without such a look it counts about which the
   * half-hourly reading asked (treasury/late.ts).
   */
  readonly followed?: ReadonlyMap<string, number> | undefined
}

/**
 * Holds a card that was not used, or ends the operator's hold. A refund that is under way ends its own hold. One of which nothing was
 * heard since is ended with the operator's, once it is known what the provider made of it.
 */
export async function setHold(
  trx: Writer,
  parts: ActParts,
  giftKind: GiftKind,
  { card: cardId, ...asked }: AskedHold & { readonly card: string },
): Promise<SetHold> {
  const card = await lockCard(trx, giftKind, cardId)
  if (!card) throw new Problem('card-not-found')
  return setHoldOnLocked(trx, parts, giftKind, { card, ...asked })
}

async function setHoldOnLocked<Kind extends GiftKind>(
  trx: Writer,
  { keys, clock }: ActParts,
  giftKind: Kind,
  { card, stands, followed }: AskedHold & { readonly card: CardOf[Kind] },
): Promise<SetHold> {
  const now = clock()
  const since = stands ? undefined : await heldSince(trx, card.id, 'refund')
  const isLeftOver =
    since !== undefined &&
    !isRefundUnderWay(since, now) &&
    (followed?.get(card.id) ?? (await sightedAt(trx, nameOfFollowed(card.id)))) === since
  if (isLeftOver) await noteHold(trx, card.id, { reason: 'refund', stands: false, at: now })
  const before = await holdsOn(trx, card.id)
  const hold = { reason: 'operator', stands, at: now } as const
  const status =
    stands && !takesHold(card.status) ? card.status : await holdCard(trx, keys, giftKind, card, hold)
  return {
    status,
    wasHeld: isLeftOver || before.includes('operator'),
    others: before.filter(reason => reason !== 'operator'),
  }
}

/**
 * The same for every card of an order of many, all or none: holds those that were not used, and ends the hold on those
 * that the operator holds. One that was given back is held too, since a refund that comes back would make it usable.
 * @returns what became of each, without those that a hold is not about
 */
export async function setHoldOfMany(
  trx: Writer,
  parts: ActParts,
  { orderId, cards: [first] }: FoundMany,
  asked: AskedHold,
): Promise<readonly SetHold[]> {
  // The order first, then its cards: whoever uses, refunds or withdraws from one of them comes before or after.
  await lockOrdersOf(trx, [first.id])
  const done: SetHold[] = []
  for (const card of await lockCardsOfOrder(trx, 'donation', orderId)) {
    if (asked.stands && !takesHold(card.status)) continue
    done.push(await setHoldOnLocked(trx, parts, 'donation', { card, ...asked }))
  }
  return done
}
