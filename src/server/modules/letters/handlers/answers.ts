import { type LetterFacts, toldIn } from '#domain/answer/answer.ts'
import { isVisible } from '#domain/card/states.ts'
import type { AboutCard, MailJobs } from '#domain/mail/mail-jobs.ts'
import { money } from '#domain/money/money.ts'
import { forgetWords } from '#server/modules/gifts/answers/forget.ts'
import { stopsOf } from '#server/modules/gifts/answers/letters.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import { leftToDraw } from '#server/modules/gifts/holds.ts'
import { readKeptMission } from '#server/modules/gifts/invitations/mission-snapshot.ts'
import { type Card, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Job, WhenDone } from '#server/platform/outbox/claim.ts'
import { giftAnswerMail, invitationAnswerMail, type ToldAnswer, type UsedCard, usedMail } from '../answers.ts'
import type { Deliver } from '../deliver.ts'
import { MailFailure } from '../failure.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf } from '../rows.ts'

/** The content of a letter about a used card. `told` is null if the letter tells of the use alone. */
interface UsedLetter {
  readonly card: Card
  readonly used: UsedCard
  readonly told: ToldAnswer | null
}

/**
 * Handlers that tell the giver how a gift was used, as far as its recipient allows. They read what may be said at the
 * time of sending. A giver who wants no letter, or is forgotten, gets none. No letter holds an answer that the
 * operator has blocked.
 * @throws MailFailure, for good when an invitation cannot be told of
 */
export function answersHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<'gift-used' | 'gift-answer' | 'volunteering-answer'> {
  const { db } = parts
  return {
    async 'gift-used'(job) {
      const letter = await db.read(reader => letterOf(reader, job.payload.cardId, 'first', parts))
      if (letter === undefined) return
      const { card, used, told } = letter
      const mail = usedMail(
        await addresseeOf(card, parts),
        used,
        told ?? undefined,
        siteIn(card.language, parts),
      )
      await deliver(mail, { job, to: card.email })
    },

    async 'gift-answer'(job) {
      const letter = await db.read(reader => letterOf(reader, job.payload.cardId, 'second', parts))
      if (!letter?.told) return
      const { card, used, told } = letter
      const mail = giftAnswerMail(await addresseeOf(card, parts), used, told, siteIn(card.language, parts))
      await deliver(mail, { job, to: card.email })
    },

    async 'volunteering-answer'(job) {
      const { cardId, answer } = job.payload
      const { card, stops } = await db.read(async reader => ({
        card: await storedCard(reader, 'volunteering', cardId),
        stops: await stopsOf(reader, cardId),
      }))
      if (card === undefined || !isVisible(card.status)) throw new MailFailure('card-not-found', true)
      if (stops.byOperator) return
      const given = { cardId, answer, mission: readKeptMission(card.mission) }
      const mail = invitationAnswerMail(await addresseeOf(card, parts), given, siteIn(card.language, parts))
      await deliver(mail, { job, to: card.email })
    },
  }
}

/** A recipient's words are kept until their letter was handed over, or never will be: a letter sent again says the same. */
export const forgetWhatWasTold = {
  'gift-used': (trx, job) => forgetWords(trx, aboutCard(job).cardId, 'first'),
  'gift-answer': (trx, job) => forgetWords(trx, aboutCard(job).cardId, 'second'),
} as const satisfies Partial<Record<keyof MailJobs, WhenDone>>

/** The content of these kinds of jobs. */
const aboutCard = ({ payload }: Job): AboutCard => payload as AboutCard

/** When its recipient divided a card, or left it to the draw, epoch ms UTC; undefined where nobody did. */
async function usedByRecipientAt(db: Reader, cardId: string): Promise<number | undefined> {
  const use = await db
    .selectFrom('redemptions')
    .select('created_at')
    .where('card_id', '=', cardId)
    .where('cause', '=', 'recipient')
    .executeTakeFirst()
  return use?.created_at ?? (await leftToDraw(db, [cardId])).get(cardId)
}

/** undefined where the letter does not go out. */
async function letterOf(
  db: Reader,
  cardId: string,
  letter: LetterFacts['letter'],
  { ngoName }: Pick<MailParts, 'ngoName'>,
): Promise<UsedLetter | undefined> {
  const card = await storedCard(db, 'donation', cardId)
  const usedAt = await usedByRecipientAt(db, cardId)
  // What was left to the draw may have gone back meanwhile.
  if (card === undefined || usedAt === undefined || !isVisible(card.status)) return undefined
  const answer = await db
    .selectFrom('gift_answers')
    .select(['names', 'words', 'letter'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  const { byGiver, byOperator } = await stopsOf(db, cardId)
  const told = toldIn({
    letter,
    reachesGiver: card.email !== null && !byGiver,
    isBlocked: byOperator,
    answer: answer && { saysWhere: answer.names === 'said', words: answer.words, letter: answer.letter },
  })
  if (told === undefined) return undefined
  // The organisations are read only for a letter that names them.
  const chosen = told?.saysWhere ? await allocationsOf(db, cardId) : []
  const organisations = chosen.map(({ ngoId }) => ngoName(ngoId, card.language))
  return {
    card,
    used: {
      cardId,
      credit: money(card.credit, card.currency),
      createdAt: card.created_at,
      usedAt,
    },
    told: told && { words: told.words, organisations },
  }
}
