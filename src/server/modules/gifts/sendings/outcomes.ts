import type { MailJobs } from '#domain/mail/mail-jobs.ts'
import { LATEST_REMINDER_MS, TRIED_FOR_MS } from '#domain/sending/sending.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { openRestoration } from '#server/modules/gifts/cards/restored.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import {
  addressOf,
  giveBack,
  moveSending,
  type ReturnKeys,
  type Sending,
  sendingOf,
  stopForGift,
} from '#server/modules/gifts/sendings/stored.ts'
import { isUnopened } from '#server/modules/gifts/sendings/unopened.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { type Job, triedForMs } from '#server/platform/outbox/claim.ts'

/** What the mail to a recipient is made of. */
export interface ReadyGift {
  readonly card: CardOf[keyof CardOf]
  readonly address: string
  /** The keyed digest of the mailbox, by which its owner stops such mails. */
  readonly mailbox: string
  readonly message: string | null
}

/** A mail to a recipient in hand. @see Job */
interface Tried extends Pick<Job, 'attempts'> {
  readonly payload: MailJobs['sending']
}

const IN_HAND = { first: 'sending', reminder: 'reminding' } as const

/**
 * The gift that a mail in the outbox is about, as it is now. Where nothing is to be sent any more, that is written down:
 * the gift was used, is held or was given back, or the address cannot be read.
 * @throws while a backup that was brought back is not reconciled: the mail may have gone since
 */
export async function readyToSend(
  db: Database,
  keys: ReturnKeys & Pick<CardKeys, 'unseal' | 'knows'>,
  { payload: { cardId, gift, which }, attempts }: Tried,
  now: number,
): Promise<ReadyGift | undefined> {
  const found = await db.read(async reader => {
    if ((await openRestoration(reader)) !== undefined)
      throw new Error('A mail to a recipient waits for the reconciliation.')
    const sending = await sendingOf(reader, cardId)
    if (sending?.state !== IN_HAND[which]) return undefined
    const card = await storedCard(reader, gift, cardId)
    const isAsked = await (which === 'first' ? card?.status === 'active' : isUnopened(reader, card))
    const message = card ? await messageOf(reader, card) : null
    return { sending, card, isAsked, message }
  })
  if (found === undefined) return undefined
  const { sending, card, isAsked, message } = found
  const isLate = sending.sent_at !== null && now - sending.sent_at > LATEST_REMINDER_MS
  if (card === undefined || !isAsked || isLate) {
    // A try before this one may have reached the mailbox without an answer to us.
    const isHeldMidway = which === 'first' && attempts > 1 && card?.status === 'frozen'
    await db.transaction(async trx => {
      if (isHeldMidway) await giveBack(trx, keys, sending, { why: 'refused', mayBeThere: true, now })
      else if (which === 'first') await stopForGift(trx, card?.status, sending, now)
      else await moveSending(trx, sending, 'stop', { why: 'gift', changed_at: now })
    })
    return undefined
  }
  const address = keys.knows(card.key_version) ? addressOf(keys, sending) : undefined
  const { address_digest: mailbox } = sending
  if (address === undefined || mailbox === null) {
    const mayBeThere = which === 'reminder'
    await db.transaction(trx => giveBack(trx, keys, sending, { why: 'refused', mayBeThere, now }))
    return undefined
  }
  return { card, address, mailbox, message }
}

/** Has the first mail been tried for long enough? A reminder has an end of its own. */
export const isTriedOut = ({ payload: { which }, attempts }: Tried): boolean =>
  which === 'first' && triedForMs(attempts) >= TRIED_FOR_MS

/**
 * Written with the end of a mail to a recipient. A mail that its server refuses for good, or for days, gives the link back to its giver,
 * and its row of the outbox goes: what became of it stands in the sending, and there is nothing for an operator to do.
 */
export async function noteOutcome(trx: Writer, keys: ReturnKeys, job: Job, now: number): Promise<void> {
  const { cardId, which } = job.payload as MailJobs['sending']
  const { failed_reason: refusal } = await trx
    .selectFrom('jobs')
    .select('failed_reason')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const sending = await sendingOf(trx, cardId)
  if (refusal !== null) await trx.deleteFrom('jobs').where('id', '=', job.id).execute()
  if (sending?.state !== IN_HAND[which]) return
  if (refusal === null) return void (await moveSending(trx, sending, 'hand-over', handedOver(sending, now)))
  // A try before the one that was refused may have reached the mailbox without an answer to us.
  const mayBeThere = which === 'reminder' || job.attempts > 1
  await giveBack(trx, keys, sending, { why: 'refused', mayBeThere, now })
}

/** A reminder changes nothing of when the mail went. */
const handedOver = ({ sent_at: sentAt }: Sending, now: number) => ({
  sent_at: sentAt ?? now,
  changed_at: now,
})
