import { forgetMessages } from '#server/modules/gifts/messages.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedCard } from './card-file.ts'
import type { Command } from './command.ts'

/** `blank-message <card or order>`: the giver's own words are shown to nobody any more. */
export const blankMessage: Command = {
  name: 'blank-message',
  usage: '<card or order>',
  summary: 'forgets what the giver of a card wrote: its screens, its paper and its letters go without it',
  async run(tools, args) {
    const word = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    const db = await tools.database()
    const outcome = await db.transaction(async trx => {
      const { id: card, order_id: order } = (await namedCard(trx, word)).card
      return { card, isBlanked: (await forgetMessages(trx, order === null ? [] : [order])) > 0 }
    })
    // The overwritten words are removed from the journal of the embedded database too.
    if (outcome.isBlanked && db.engine === 'sqlite') await db.scrub([])
    const { card, isBlanked } = outcome
    const lines = isBlanked
      ? [
          `What the giver of card ${card} wrote is forgotten: its screens, its paper and its letters go without it.`,
          'A letter that has gone, and a sheet that was printed, cannot be called back.',
        ]
      : [`Card ${card} has no message.`]
    return { lines, data: outcome, ok: true }
  },
}
