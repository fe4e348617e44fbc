import { isMailAddress } from '#domain/mail/address.ts'
import { clearPersons, clearVolunteering } from '#server/cards/forget.ts'
import { oneWord, readArguments } from './arguments.ts'
import { type Command, Refusal } from './command.ts'

/** `erase <e-mail>`: forgets a person. The cards work on, and the books keep their numbers. */
export const erase: Command = {
  name: 'erase',
  usage: '<e-mail> --yes',
  summary: 'forgets a person: addresses and names go, cards and books stay',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['yes'] })
    const address = oneWord(words, 'one e-mail address')
    if (!isMailAddress(address)) throw new Refusal('That is not an e-mail address.')
    const db = await tools.database()
    const erased = await db.transaction(async trx => {
      const found = await trx
        .selectFrom('cards')
        .select(['id', 'order_id'])
        .where(eb => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(address)])))
        .execute()
      const invitations = await trx
        .selectFrom('volunteering_cards')
        .select(['id', 'order_id'])
        .where(eb => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(address)])))
        .execute()
      if (has('yes')) await clearVolunteering(trx, invitations)
      if (has('yes'))
        for (let n = 0; n < found.length; n += 100) await clearPersons(trx, found.slice(n, n + 100))
      if (has('yes'))
        await trx
          .deleteFrom('newsletter_subscribers')
          .where(eb => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(address)])))
          .execute()
      return found.length + invitations.length
    })
    const data = { cards: erased, done: has('yes') }
    if (!has('yes')) {
      const lines = [
        `${erased} cards were bought with this address. Erased, their buyer gets no reminder and no lost links,`,
        'and nobody can undo it. Say the same with --yes to do it.',
      ]
      return { lines, data, ok: false }
    }
    const lines = [
      `Forgotten: the address and the names on ${erased} cards and their orders. The cards still work.`,
      'The newsletter has forgotten it as well.',
      'What the payment account and the mail server keep of this person is theirs to erase.',
    ]
    return { lines, data, ok: true }
  },
}
