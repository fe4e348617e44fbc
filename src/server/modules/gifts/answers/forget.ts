import type { Writer } from '#server/platform/db/database.ts'
import type { GiftAnswersTable } from '#server/platform/db/schema.ts'

/**
 * Forgets a recipient's words once nothing is left to send them in. That there was an answer stays, and its keyed digest,
 * by which the same answer is known again.
 * @param letter the one that is over: words that wait for the other one stay
 */
export async function forgetWords(
  trx: Writer,
  cardId: string,
  letter: GiftAnswersTable['letter'],
): Promise<void> {
  await trx
    .updateTable('gift_answers')
    .set({ words: null })
    .where('card_id', '=', cardId)
    .where('letter', '=', letter)
    .execute()
}
