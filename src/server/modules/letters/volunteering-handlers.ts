import { GIFTS } from '#domain/card/gifts.ts'
import { isVisible } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import type { ConfirmationPayload } from '#server/modules/gifts/confirmation-jobs.ts'
import { type AnswerPayload, VOLUNTEERING_ANSWER } from '#server/modules/gifts/invitations/mail-jobs.ts'
import { readKeptMission } from '#server/modules/gifts/invitations/mission-snapshot.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import type { Deliver } from './deliver.ts'
import { MailFailure } from './failure.ts'
import { type MailHandlers, type MailParts, siteIn } from './parts.ts'
import { addresseeOf, paidIn } from './rows.ts'
import { answerMail, invitationMail } from './volunteering.ts'

const VOLUNTEERING_CONFIRMATION = GIFTS.volunteering.confirmation.mail

/** Send the mails about volunteering cards. @throws MailFailure, for good when the card cannot be told of */
export function volunteeringHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<typeof VOLUNTEERING_CONFIRMATION | typeof VOLUNTEERING_ANSWER> {
  const { db, keys } = parts
  async function read(cardId: string) {
    const found = await db.read(async reader => {
      const card = await storedCard(reader, 'volunteering', 'id', cardId)
      return card && { card, order: await orderById(reader, card.order_id) }
    })
    if (!found?.order || !isVisible(found.card.status)) throw new MailFailure('card-not-found', true)
    return { card: found.card, order: found.order, site: siteIn(found.card.language, parts) }
  }

  return {
    async [VOLUNTEERING_CONFIRMATION](job) {
      const { cardId } = job.payload as ConfirmationPayload
      const { card, order, site } = await read(cardId)
      const invitation = {
        key: keys.privateKey(cardId, card.key_version),
        price: money(order.ngo_amount, order.currency),
        ...paidIn(order),
      }
      await deliver(invitationMail(addresseeOf(card), invitation, site), { job, to: card.email })
    },

    async [VOLUNTEERING_ANSWER](job) {
      const { cardId, answer } = job.payload as AnswerPayload
      const { card, site } = await read(cardId)
      const given = { answer, mission: readKeptMission(card.mission) }
      await deliver(answerMail(addresseeOf(card), given, site), { job, to: card.email })
    },
  }
}
