import { endGrace as end } from '#server/modules/offers/grace.ts'
import { noWords, readArguments } from './arguments.ts'
import type { Command } from './command.ts'

/** `end-grace`: ends the grace of earlier prices. A buyer can no longer pay a price from before the last publish. */
export const endGrace: Command = {
  name: 'end-grace',
  usage: '',
  summary: 'ends at once the hour in which prices that were replaced can still be paid',
  async run(tools, args) {
    noWords(readArguments(args).words)
    const at = tools.clock()
    const db = await tools.database()
    await db.transaction(trx => end(trx, at))
    return {
      lines: [
        'From now on only what is published now is sold. Whoever still sees an earlier price is told so, and shown the new one.',
        'Payment pages that are open already can be paid: their price was promised.',
      ],
      data: { endedAt: at },
      ok: true,
    }
  },
}
