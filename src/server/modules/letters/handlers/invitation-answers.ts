import { isVisible } from '#domain/card/states.ts'
import { readKeptMission } from '#server/modules/gifts/invitations/mission-snapshot.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { answerMail } from '../invitation-answer.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf } from '../rows.ts'

/** Sends the giver what the person invited has answered. @throws MailFailure, for good when the card cannot be told of */
export function invitationAnswerHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<'volunteering-answer'> {
  return {
    async 'volunteering-answer'(job) {
      const { cardId, answer } = job.payload
      const card = await parts.db.read(reader => storedCard(reader, 'volunteering', 'id', cardId))
      if (card === undefined || !isVisible(card.status)) throw new MailFailure('card-not-found', true)
      const given = { answer, mission: readKeptMission(card.mission) }
      await deliver(answerMail(addresseeOf(card), given, siteIn(card.language, parts)), {
        job,
        to: card.email,
      })
    },
  }
}
