import { isMailAddress } from '#domain/mail/address.ts'
import { correctAddress } from '#server/modules/desk/acts.ts'
import { readArguments } from './arguments.ts'
import { namedCard } from './card-file.ts'
import { type Command, Refusal } from './command.ts'

/**
 * `address <card or order> <e-mail>`: corrects the address for the mails of a card. The card may be bought, free or an
 * invitation. The owner of the new address gets the links, and may replace them.
 */
export const address: Command = {
  name: 'address',
  usage: '<card or order> <e-mail>',
  summary: 'corrects the address that the mails of a card go to; its mails that wait go there as well',
  async run(tools, args) {
    const [word, typed, ...more] = readArguments(args).words
    if (word === undefined || typed === undefined || more.length > 0)
      throw new Refusal('Say the id of one card, or of its order, and the right e-mail address.')
    const email = typed.trim()
    if (!isMailAddress(email)) throw new Refusal('That is not an e-mail address.')
    const db = await tools.database()
    const outcome = await db.transaction(async trx => {
      const { giftKind, card } = await namedCard(trx, word)
      return { card: card.id, changed: await correctAddress(trx, giftKind, card.id, email) }
    })
    const { card, changed } = outcome
    const lines = [
      changed
        ? `The mails of card ${card} go to the new address from now on.`
        : `The mails of card ${card} go there already.`,
      `\`resend ${card}\` sends the one with its links again.`,
      ...(changed ? ['The links that were sent before go on working until their buyer replaces them.'] : []),
    ]
    return { lines, data: outcome, ok: true }
  },
}
