import { isVisible } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import type { VolunteeringCard } from '#server/db/schema.ts'
import type { Handler } from '#server/outbox/worker.ts'
import { orderById } from '#server/payments/orders.ts'
import { volunteeringCardById } from '#server/volunteering/find.ts'
import { readKeptMission } from '#server/volunteering/kept-mission.ts'
import type {
  AnswerPayload,
  VOLUNTEERING_ANSWER,
  VOLUNTEERING_CONFIRMATION,
  VolunteeringPayload,
} from '#server/volunteering/mail-jobs.ts'
import type { Deliver } from './deliver.ts'
import { MailFailure } from './failure.ts'
import type { MailParts } from './mail.ts'
import { answerMail, invitationMail } from './volunteering.ts'

export type VolunteeringHandlers = Readonly<
  Record<typeof VOLUNTEERING_CONFIRMATION | typeof VOLUNTEERING_ANSWER, Handler>
>

/** Send the mails about volunteering cards. @throws MailFailure, for good when the card cannot be told of */
export function createVolunteeringHandlers(parts: MailParts, deliver: Deliver): VolunteeringHandlers {
  const { db, keys, siteUrl } = parts
  const siteFor = ({ language }: VolunteeringCard) => ({
    url: siteUrl,
    name: parts.siteName(language),
    contact: parts.contact(),
  })
  const addressee = (card: VolunteeringCard) => ({
    language: card.language,
    themeId: card.theme_id,
    senderName: card.sender_name,
  })
  async function read(cardId: string) {
    const found = await db.read(async reader => {
      const card = await volunteeringCardById(reader, cardId)
      return card && { card, order: await orderById(reader, card.order_id) }
    })
    if (!found?.order || !isVisible(found.card.status)) throw new MailFailure('card-not-found', true)
    return { card: found.card, order: found.order }
  }

  return {
    async 'volunteering-confirmation'(job) {
      const { cardId } = job.payload as VolunteeringPayload
      const { card, order } = await read(cardId)
      const invitation = {
        key: keys.privateKey(cardId, card.key_version),
        price: money(order.ngo_amount, order.currency),
        net: money(order.support_amount - order.tax_amount, order.currency),
        tax: money(order.tax_amount, order.currency),
        total: money(order.total_amount, order.currency),
      }
      const mail = invitationMail(addressee(card), invitation, siteFor(card))
      await deliver(mail, { job, to: card.email })
    },

    async 'volunteering-answer'(job) {
      const { cardId, answer } = job.payload as AnswerPayload
      const { card } = await read(cardId)
      const mail = answerMail(
        addressee(card),
        { answer, mission: readKeptMission(card.mission) },
        siteFor(card),
      )
      await deliver(mail, { job, to: card.email })
    },
  }
}
