import type { Writer } from '#server/platform/db/database.ts'
import type { GiftAnswersTable } from '#server/platform/db/schema.ts'

/**
 * Forgets a recipient's words once no letter is left that will carry them. The row of the answer stays, with a keyed
 * digest that recognises the same answer.
 * @param letter the letter that was sent or given up: words that wait for the other letter stay
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
