import type { MailJobs } from '#domain/mail/mail-jobs.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { unwantedPath } from '#paths'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { isTriedOut, noteOutcome, readyToSend } from '#server/modules/gifts/sendings/outcomes.ts'
import { lastDayOf, mailboxInLink, sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Job, WhenDone } from '#server/platform/outbox/claim.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf, sendableOf, unfoldsAs } from '../rows.ts'
import { sendingHeldMail, sendingMail, sendingReturnedMail } from '../sendings.ts'

/** Send gifts to their recipients, and write to givers whose gift could not be sent. All is read at the time of sending. */
export function sendingHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<'sending' | 'sending-returned' | 'sending-held'> {
  const { db, keys, clock } = parts
  async function tellHeld(card: CardOf[GiftKind] | undefined, job: Job): Promise<void> {
    if (card?.status !== 'frozen' || card.email === null || !keys.knows(card.key_version)) return
    const mail = sendingHeldMail(
      await addresseeOf(card, parts),
      sendableOf(card, parts),
      siteIn(card.language, parts),
    )
    await deliver(mail, { job, to: card.email })
  }
  return {
    async sending(job) {
      const ready = await readyToSend(db, keys, job, clock())
      if (ready === undefined) return
      const { card, address, mailbox, message } = ready
      const privateKey = keys.privateKey(card.id, card.key_version)
      // Nothing of the purchase is for the recipient.
      const { language, theme } = await addresseeOf(card, parts)
      const mail = sendingMail(
        { language, theme },
        {
          kind: job.payload.gift,
          which: job.payload.which,
          privateKey,
          unfoldsAs: unfoldsAs(card, job.payload.gift),
          checkWord: printedWordOf(card, privateKey),
          lastDay: lastDayOf(card),
          giver: card.sender_name,
          message,
          mailbox: mailboxInLink(mailbox),
          unwantedKey: keys.unwantedKey(mailbox),
        },
        siteIn(language, parts),
      )
      try {
        await deliver(mail, { job, to: address, headers: oneClickStop(parts.siteUrl, keys, mailbox) })
      } catch (error) {
        throw isTriedOut(job) ? new MailFailure(codeOf(error), true) : error
      }
    },

    async 'sending-returned'(job) {
      const { cardId, gift: kind } = job.payload
      const { card, sending } = await db.read(async reader => ({
        card: await storedCard(reader, kind, cardId),
        sending: await sendingOf(reader, cardId),
      }))
      // No link of a gift that is held opens anything yet.
      if (card?.status === 'frozen') return tellHeld(card, job)
      // Nobody is left to be told, or nothing is left to be given.
      if (card?.status !== 'active' || card.email === null || !keys.knows(card.key_version)) return
      const privateKey = keys.privateKey(cardId, card.key_version)
      const gift = {
        kind,
        privateKey,
        unfoldsAs: unfoldsAs(card, kind),
        mayHaveGone: sending?.state === 'returned' && sending.why === null,
        ...sendableOf(card, parts),
      }
      const mail = sendingReturnedMail(await addresseeOf(card, parts), gift, siteIn(card.language, parts))
      await deliver(mail, { job, to: card.email })
    },

    async 'sending-held'(job) {
      const { cardId, gift } = job.payload
      await tellHeld(await db.read(reader => storedCard(reader, gift, cardId)), job)
    },
  }
}

/** The mail program's own button for stopping such mails (RFC 8058). */
const oneClickStop = (siteUrl: string, keys: MailParts['keys'], mailbox: string) => ({
  'List-Unsubscribe': `<${siteUrl}${unwantedPath(mailboxInLink(mailbox), keys.unwantedKey(mailbox))}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const codeOf = (error: unknown): string => (error instanceof MailFailure ? error.code : 'unknown')

/** Handed over or refused: the sending says so from then on. */
export const whenGiftSent = ({ keys, clock }: Pick<MailParts, 'keys' | 'clock'>) =>
  ({
    sending: (trx, job) => noteOutcome(trx, keys, job, clock()),
  }) satisfies Partial<Record<keyof MailJobs, WhenDone>>
