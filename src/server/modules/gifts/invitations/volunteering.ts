import { isVisible } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import {
  checkInvitationAnswers,
  queueInvitationAnswer,
  stopsOf,
} from '#server/modules/gifts/answers/letters.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { GivenAnswer, Volunteering, VolunteeringView } from '#server/modules/gifts/interface.ts'
import { giverMessage } from '#server/modules/gifts/messages.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { VolunteeringCard } from '#server/platform/db/schema.ts'
import { readKeptMission } from './mission-snapshot.ts'

interface Parts {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  /** Called when a mail has been queued. */
  readonly onQueued?: () => void
}

/** The calls of an invitation's recipient. */
export function createVolunteering({ db, keys, clock, onQueued }: Parts): Volunteering {
  return {
    open: key =>
      db.read(async reader => viewOf(reader, (await findByKey(reader, keys, 'volunteering', key)).card)),
    noteBook: key =>
      db.transaction(async trx => {
        const { id } = (await findByKey(trx, keys, 'volunteering', key)).card
        // The giver may withdraw at the same moment. The lock decides which of the two is first.
        const card = await lockCard(trx, 'volunteering', id)
        if (!card || !isVisible(card.status)) throw new Problem('card-not-found')
        await trx
          .insertInto('book_downloads')
          .values({ card_id: id, created_at: clock() })
          .onConflict(conflict => conflict.column('card_id').doNothing())
          .execute()
      }),
    async answer(key, given) {
      const { view, queued } = await db.transaction(async trx => {
        const { card } = await findByKey(trx, keys, 'volunteering', key)
        return keepAnswer(trx, card.id, given, clock())
      })
      if (queued) onQueued?.()
      return view
    },
  }
}

/** The same answer sent again changes nothing, and the giver gets no second letter. */
async function keepAnswer(
  trx: Writer,
  cardId: string,
  { answer, tellGiver }: GivenAnswer,
  now: number,
): Promise<{ readonly view: VolunteeringView; readonly queued: boolean }> {
  // Locks the row, so that two answers at once come one after the other.
  const card = await trx
    .updateTable('volunteering_cards')
    .set(eb => ({ answers: eb.ref('answers') }))
    .where('id', '=', cardId)
    .where('status', '=', 'active')
    .returningAll()
    .executeTakeFirst()
  // Frozen or revoked a moment ago.
  if (!card) throw new Problem('card-not-found')
  const isNew = card.answer !== answer
  const reachesGiver = card.email !== null && !(await stopsOf(trx, cardId)).byOperator
  const tells = tellGiver && reachesGiver && card.told_answer !== answer
  if (tells) await checkInvitationAnswers(trx, cardId, now)
  const kept = {
    ...card,
    answer,
    answered_at: isNew ? now : card.answered_at,
    answers: card.answers + (isNew ? 1 : 0),
    told_answer: tells ? answer : card.told_answer,
  }
  await trx
    .updateTable('volunteering_cards')
    .set({
      answer: kept.answer,
      answered_at: kept.answered_at,
      answers: kept.answers,
      told_answer: kept.told_answer,
    })
    .where('id', '=', cardId)
    .execute()
  if (tells) await queueInvitationAnswer(trx, { cardId, answer, count: kept.answers, now })
  return { view: await viewOf(trx, kept), queued: tells }
}

async function viewOf(db: Reader, card: VolunteeringCard): Promise<VolunteeringView> {
  return {
    createdAt: card.created_at,
    language: card.language,
    senderName: card.sender_name,
    message: await giverMessage(db, card),
    theme: await themeOf(db, card.theme_id, card.created_at),
    mission: readKeptMission(card.mission),
    answer: card.answer,
    isTold: card.answer !== null && card.told_answer === card.answer,
  }
}
