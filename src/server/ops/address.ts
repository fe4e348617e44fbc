import { isMailAddress } from '#domain/mail/address.ts'
import { correctAddress } from '#server/modules/desk/acts.ts'
import { queueAgain } from '#server/modules/gifts/confirmation-jobs.ts'
import { readArguments } from './arguments.ts'
import { namedCard } from './card-file.ts'
import { keysFor } from './card-secret.ts'
import { type Command, Refusal } from './command.ts'

/**
 * `address <card or order> <e-mail>`: corrects the address for the mails of a card. The card may be bought, free or an
 * invitation. The owner of the new address gets the links, and may replace them. Of an order of many it is the address of all
 * its cards: its page moves, and the mail that leads there goes at once.
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
    const keys = await keysFor(tools)
    const outcome = await db.transaction(async trx => {
      const { giftKind, card } = await namedCard(trx, word)
      const { cards, isNew } = await correctAddress(trx, keys, { giftKind, cardId: card.id, typed: email })
      const isMoved = cards > 1 && isNew
      const mail = isMoved ? await queueAgain(trx, card.id, tools.clock()) : undefined
      return { card: card.id, changed: isNew, cards, order: card.order_id, mail }
    })
    const { card, changed, cards, order, mail } = outcome
    const data = { card, changed }
    if (cards > 1) return { lines: ofMany(word, { cards, order, changed, mail }), data, ok: true }
    const lines = [
      changed
        ? `The mails of card ${card} go to the new address from now on.`
        : `The mails of card ${card} go there already.`,
      `\`resend ${card}\` sends the one with its links again.`,
      ...(changed ? ['The links that were sent before go on working until their buyer replaces them.'] : []),
    ]
    return { lines, data, ok: true }
  },
}

interface Moved {
  readonly cards: number
  readonly order: string | null
  readonly changed: boolean
  readonly mail: Awaited<ReturnType<typeof queueAgain>> | undefined
}

function ofMany(word: string, { cards, order, changed, mail }: Moved): readonly string[] {
  const all = `the ${cards} cards of order ${order}`
  if (!changed)
    return [
      `The mails about ${all} go there already.`,
      `\`resend ${word}\` sends the one with their page again.`,
    ]
  return [
    `The mails about ${all} go to the new address from now on.`,
    'Their page has another address: the one before opens nothing any more.',
    mail === 'card-not-found'
      ? `Nobody can use any of them now. Once somebody can, \`resend ${word}\` sends the page.`
      : 'The mail that leads to it goes there within seconds.',
    'Links of cards that were shown before go on working until their buyer makes them anew there.',
  ]
}
