import { blankWords, blankWordsOfOrder } from '#server/modules/gifts/messages.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedCard } from './card-file.ts'
import type { Command } from './command.ts'

/** `blank-message <card or order>`: the giver's own words are shown to nobody any more. */
export const blankMessage: Command = {
  name: 'blank-message',
  usage: '<card or order>',
  summary:
    'forgets what the giver of a card, or of all cards of an order, wrote: screens, paper and letters go without',
  async run(tools, args) {
    const word = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    const db = await tools.database()
    const { card, blanked } = await db.transaction(trx => blank(trx, word))
    // The overwritten words are removed from the journal of the embedded database too.
    if (blanked !== undefined && db.engine === 'sqlite') await db.scrub([])
    const isBlanked = blanked !== undefined
    const lines = isBlanked
      ? [
          `What the giver of card ${card} wrote is forgotten: its screens, its paper and its letters go without it.`,
          ...(blanked === 'order' ? ['The other cards of its order go without the same words.'] : []),
          'A letter that has gone, and a sheet that was printed, cannot be called back.',
        ]
      : [`Card ${card} has no message.`]
    return { lines, data: { card, isBlanked }, ok: true }
  },
}

/** Blanks what a card says, or what all cards of an order say where it is the order that is named. */
async function blank(trx: Writer, word: string) {
  const { card } = await namedCard(trx, word)
  if (word !== card.order_id) return { card: card.id, blanked: await blankWords(trx, card) }
  const isBlanked = await blankWordsOfOrder(trx, word)
  return { card: card.id, blanked: isBlanked ? ('order' as const) : undefined }
}
