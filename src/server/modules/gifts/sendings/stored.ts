import { type Selectable, sql } from 'kysely'
import { type ClaimAddress, readClaimAddress } from '#domain/campaign/claim-address.ts'
import { type CardStatus, isOpenToUse } from '#domain/card/states.ts'
import { lastDayOfCard } from '#domain/card/term.ts'
import { movedBy, type SendingEnd, type SendingMove } from '#domain/sending/sending.ts'
import { type CardKeys, KEYED } from '#server/modules/gifts/cards/keys.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import {
  type CardOf,
  changeCard,
  type LinkKeys,
  linksOf,
  lockCard,
} from '#server/modules/gifts/stored-cards.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { SendingsTable } from '#server/platform/db/schema.ts'

/** The last day of a gift, in Madrid; undefined of an invitation, which is never given away. */
export const lastDayOf = (card: CardOf[keyof CardOf]): string | undefined =>
  'auto_donate_at' in card ? lastDayOfCard({ autoDonateAt: card.auto_donate_at }) : undefined

export type Sending = Selectable<SendingsTable>

/** What was asked for about a card; undefined without anything. */
export const sendingOf = (db: Reader, cardId: string): Promise<Sending | undefined> =>
  db.selectFrom('sendings').selectAll().where('card_id', '=', cardId).executeTakeFirst()

/** The keyed digest of a mailbox: one for every way to write it, and another than for any other purpose. */
export const digestOfRecipient = (keys: Pick<CardKeys, 'keyedDigest'>, { folded }: ClaimAddress): string =>
  keys.keyedDigest(`gifts by mail to ${folded}`)

/** The same of an address as somebody typed it; undefined where it is none. */
export function digestOfAddress(keys: Pick<CardKeys, 'keyedDigest'>, address: string): string | undefined {
  const to = readClaimAddress(address)
  return typeof to === 'string' ? undefined : digestOfRecipient(keys, to)
}

const about = (cardId: string): string => `sending of ${cardId}`

/** The columns of an address: encrypted for this card, and as a keyed digest. */
export const addressColumns = (keys: CardKeys, cardId: string, to: ClaimAddress) => ({
  address_sealed: keys.seal(to.address, about(cardId)),
  address_digest: digestOfRecipient(keys, to),
})

export const NO_ADDRESS = { address_sealed: null, address_digest: null } as const

/** What a gift's new links are made and sealed with. */
export type ReturnKeys = LinkKeys & Pick<CardKeys, 'nextVersion' | 'mac'>

interface Return {
  /** null: after a restore, when nobody knows whether the mail went. */
  readonly why: Extract<SendingEnd, 'refused' | 'unwanted'> | null
  readonly mayBeThere: boolean
  /** Epoch ms UTC. */
  readonly now: number
}

/** Where it goes; undefined once that is forgotten, or where another hand or another secret wrote it. */
export const addressOf = (
  keys: Pick<CardKeys, 'unseal'>,
  { card_id: cardId, address_sealed: sealed }: Pick<Sending, 'card_id' | 'address_sealed'>,
): string | undefined => (sealed === null ? undefined : keys.unseal(sealed, about(cardId)))

/** The digest of a mailbox as a link says it. */
export const mailboxInLink = (digest: string): string => digest.slice(KEYED.length)
/** The digest that a link says. */
export const mailboxOfLink = (written: string): string => KEYED + written.toLowerCase()

/**
 * Moves a sending on, if it is still as it was read: of two at once, one moves it.
 * @returns false where it has moved meanwhile, or this does not happen to it
 */
export async function moveSending(
  trx: Writer,
  { card_id: cardId, state }: Pick<Sending, 'card_id' | 'state'>,
  move: SendingMove,
  set: Partial<Sending> & { readonly changed_at: number },
): Promise<boolean> {
  const next = movedBy(move, state)
  if (next === undefined) return false
  const moved = await trx
    .updateTable('sendings')
    .set({
      ...set,
      state: next,
      // Nothing is left to be sent.
      ...(next === 'stopped' && NO_ADDRESS),
    })
    .where('card_id', '=', cardId)
    .where('state', '=', state)
    .returning(sql<number>`1`.as('one'))
    .executeTakeFirst()
  if (moved === undefined) return false
  if (next === 'stopped' || next === 'returned') await leaveUnsent(trx, cardId)
  return true
}

/** A mail that still waits must not go beside that of a later plan. One that is in hand finds the sending moved. */
async function leaveUnsent(trx: Writer, cardId: string): Promise<void> {
  await trx
    .deleteFrom('jobs')
    .where('kind', '=', 'sending')
    .where('subject', '=', cardId)
    .where('done_at', 'is', null)
    .execute()
}

/**
 * Stops a first mail whose gift cannot be used. Whoever gives one that is held meanwhile, and may be used again, is written
 * to, once for its day. Who used it, or took it back, has had another letter.
 */
export async function stopForGift(
  trx: Writer,
  status: CardStatus | undefined,
  sending: Sending,
  now: number,
): Promise<void> {
  const { card_id: cardId, gift, day } = sending
  const isStopped = await moveSending(trx, sending, 'stop', { why: 'gift', changed_at: now })
  if (!isStopped || status !== 'frozen') return
  await queueMail(trx, {
    kind: 'sending-held',
    dedupeKey: `sending-held:${cardId}:${day}`,
    payload: { cardId, gift },
    runAt: now,
    subject: cardId,
  })
}

/**
 * Gives the link back to its giver, and writes to them. Where somebody else may have it, its giver gets new links, and those
 * of before open nothing from the same moment on.
 * @param mayBeThere is a mail with the link on its way, or gone?
 * @returns false where it has moved meanwhile
 */
export async function giveBack(
  trx: Writer,
  keys: ReturnKeys,
  sending: Sending,
  { why, mayBeThere, now }: Return,
): Promise<boolean> {
  const { card_id: cardId, gift, changes_left: turn } = sending
  const card = await lockCard(trx, gift, cardId)
  if (!(await moveSending(trx, sending, 'return', { why, changed_at: now }))) return false
  // A gift that is held meanwhile may be used again later: nor then by the links of before.
  if (mayBeThere && card !== undefined && isOpenToUse(card.status)) {
    const links = linksOf(keys, gift, cardId, keys.nextVersion(card.key_version))
    if (!(await changeCard(trx, keys, gift, card as never, links)))
      throw new Error('A card changed while it was locked.')
  }
  await queueMail(trx, {
    kind: 'sending-returned',
    dedupeKey: `sending-returned:${cardId}:${turn}`,
    payload: { cardId, gift },
    runAt: now,
    subject: cardId,
  })
  return true
}
