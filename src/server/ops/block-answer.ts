import { blockAnswer as block } from '#server/modules/gifts/answers/block.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedOne } from './card-file.ts'
import type { Command } from './command.ts'

/** `block-answer <card or order>`: the recipient of this card or invitation can send its giver no more answers. Of many, one is named. */
export const blockAnswer: Command = {
  name: 'block-answer',
  usage: '<card or order>',
  summary: 'lets nothing that the recipient of a card writes reach its giver any more, and forgets the words',
  async run(tools, args) {
    const word = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    const db = await tools.database()
    const outcome = await db.transaction(async trx => {
      const { id } = (await namedOne(trx, word)).card
      return { card: id, ...(await block(trx, id, tools.clock())) }
    })
    // The overwritten words are removed from the journal of the embedded database too.
    if (outcome.hadAnswer && db.engine === 'sqlite') await db.scrub([])
    const { card, hadAnswer, isNew } = outcome
    const lines = [
      isNew
        ? `Nothing of the recipient of card ${card} reaches its giver from now on.`
        : `The answer of card ${card} was blocked already.`,
      ...(hadAnswer
        ? [
            'Its words are forgotten here. A letter that has gone cannot be called back; one that waits goes without them.',
          ]
        : []),
      'That the card was used, its giver is told all the same.',
    ]
    return { lines, data: outcome, ok: true }
  },
}
