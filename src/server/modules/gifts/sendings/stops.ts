import { isOpenToUse } from '#domain/card/states.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { giveBack, moveSending, NO_ADDRESS, sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { isUnopened } from '#server/modules/gifts/sendings/unopened.ts'
import { lockCard, lockOrdersOf } from '#server/modules/gifts/stored-cards.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/** Does this mailbox want no gifts by mail? */
export async function isStopped(db: Reader, addressDigest: string | null): Promise<boolean> {
  if (addressDigest === null) return false
  const stop = await db
    .selectFrom('sending_stops')
    .select('address_digest')
    .where('address_digest', '=', addressDigest)
    .executeTakeFirst()
  return stop !== undefined
}

/** Stops all gifts by mail to a mailbox, and forgets the address: what was not sent, or not used, goes back to its giver. */
export async function stopMailbox(
  trx: Writer,
  keys: CardKeys,
  addressDigest: string,
  now: number,
): Promise<void> {
  await trx
    .insertInto('sending_stops')
    .values({ address_digest: addressDigest, created_at: now })
    .onConflict(conflict => conflict.column('address_digest').doNothing())
    .execute()
  await forgetRecipient(trx, keys, addressDigest, now)
}

/**
 * Forgets somebody whom gifts were, or are to be, mailed to, as if they had stopped them once.
 * @returns of how many gifts
 */
export async function forgetRecipient(
  trx: Writer,
  keys: CardKeys,
  addressDigest: string,
  now: number,
): Promise<number> {
  await returnAll(trx, keys, addressDigest, now)
  const forgotten = await trx
    .updateTable('sendings')
    .set(NO_ADDRESS)
    .where('address_digest', '=', addressDigest)
    // What was asked for since has an address of its own; a stop is looked for again when it is due.
    .where('state', 'in', ['over', 'stopped', 'returned'])
    .returning('card_id')
    .execute()
  return forgotten.length
}

async function returnAll(trx: Writer, keys: CardKeys, addressDigest: string, now: number): Promise<void> {
  const seen = await trx
    .selectFrom('sendings')
    .select(['card_id', 'gift'])
    .where('address_digest', '=', addressDigest)
    .orderBy('card_id')
    .execute()
  if (seen.length > 1)
    await lockOrdersOf(
      trx,
      seen.map(({ card_id: id }) => id),
    )
  for (const { card_id: cardId, gift } of seen) {
    // The job, or its giver, may have moved it until the card was locked.
    const card = await lockCard(trx, gift, cardId)
    const sending = await sendingOf(trx, cardId)
    if (sending?.address_digest !== addressDigest) continue
    const mayBeThere = sending.state !== 'planned'
    // Whoever answered an invitation, or fetched its book, keeps what they have.
    const isOpened = mayBeThere && card?.status === 'active' && !(await isUnopened(trx, card))
    // What was used or given back is nobody's to give again: only the mails stop.
    const isOver = card === undefined || !isOpenToUse(card.status)
    if (isOver || isOpened) await moveSending(trx, sending, 'stop', { why: 'gift', changed_at: now })
    else await giveBack(trx, keys, sending, { why: 'unwanted', mayBeThere, now })
  }
}
