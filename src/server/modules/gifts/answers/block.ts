import type { Writer } from '#server/platform/db/database.ts'
import { stopLetters } from './letters.ts'

/**
 * Lets no answer of a card reach its giver any more, and forgets the words of one that was given: letters that wait go
 * without it.
 * @returns whether there had been an answer, and whether this is new
 */
export async function blockAnswer(
  trx: Writer,
  cardId: string,
  now: number,
): Promise<{ readonly hadAnswer: boolean; readonly isNew: boolean }> {
  const isNew = await stopLetters(trx, cardId, 'operator', now)
  const answer = await trx
    .updateTable('gift_answers')
    .set({ words: null })
    .where('card_id', '=', cardId)
    .returning('card_id')
    .executeTakeFirst()
  return { hadAnswer: answer !== undefined, isNew }
}
