import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { boughtWith } from '#server/modules/gifts/cards/by-address.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { LOST_LINKS } from '#server/modules/gifts/cards/lost-links.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import { digestOfMailbox } from '#server/modules/letters/newsletter/newsletter.ts'
import { WITHDRAWAL_LINKS } from '#server/modules/payments/withdrawals/state.ts'
import { oneWord, readArguments } from './arguments.ts'
import { keysHere, refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal } from './command.ts'

/** `erase <e-mail>`: forgets a person. The cards work on, and the books keep their numbers. */
export const erase: Command = {
  name: 'erase',
  usage: '<e-mail> --yes',
  summary: 'forgets a person: addresses and names go, cards and books stay',
  async run(tools, args) {
    const { words, has } = readArguments(args, { flags: ['yes'] })
    const typed = oneWord(words, 'one e-mail address')
    const mailbox = readClaimAddress(typed)
    if (!isMailAddress(typed) || typeof mailbox === 'string')
      throw new Refusal('That is not an e-mail address.')
    // As the payment gave it, and as a form has tidied it.
    const spellings = [typed, mailbox.address]
    const db = await tools.database()
    // Digests of addresses are made with the secret: without the right one a subscription would be overlooked.
    await refuseWrongSecret(tools)
    const { keys } = await keysHere(tools)
    if (keys === undefined)
      throw new Refusal(
        'CARD_KEY_SECRET is not set here: without it not everything of a person can be found.',
      )
    const data = await db.transaction(async trx => {
      let cards = 0
      for (const kind of ALL_GIFT_KINDS) {
        const bought = await trx
          .selectFrom(STORED_CARDS[kind].table)
          .select(['id', 'order_id'])
          .where(eb => eb.or(spellings.map(each => boughtWith(each)(eb))))
          .execute()
        cards += bought.length
        if (has('yes')) await clearPersons(trx, kind, bought)
      }
      // By its digest, as it stays of whoever has left the newsletter.
      const digest = digestOfMailbox(keys, mailbox)
      const subscribers = await trx
        .selectFrom('newsletter_subscribers')
        .select('id')
        .where('address_digest', '=', digest)
        .execute()
      if (has('yes')) {
        await trx.deleteFrom('newsletter_subscribers').where('address_digest', '=', digest).execute()
        // Its asking for lost links counts for nobody any more.
        const askedBy = spellings.flatMap(each => keys.pseudonyms(each.toLowerCase()))
        await trx
          .deleteFrom('jobs')
          .where('kind', 'in', [LOST_LINKS, WITHDRAWAL_LINKS])
          .where('subject', 'in', askedBy)
          .execute()
        await trx.deleteFrom('withdrawal_statements').where('address', 'in', askedBy).execute()
        // Also of an order that no card came of.
        await trx
          .updateTable('withdrawals')
          .set({ name: null, email: null })
          .where(
            eb => eb.fn<string>('lower', ['email']),
            'in',
            spellings.map(each => each.toLowerCase()),
          )
          .execute()
      }
      return {
        cards,
        subscriptions: subscribers.length,
        done: has('yes'),
      }
    })
    // What was overwritten leaves the journal of the embedded database too.
    if (data.done && db.engine === 'sqlite') await db.scrub([])
    const erased = data.cards
    if (!has('yes')) {
      const lines = [
        `${erased} cards were bought with this address. Erased, their buyer gets no reminder and no lost links,`,
        `the newsletter loses ${data.subscriptions} subscriptions, and nobody can undo it. Say the same with --yes to do it.`,
      ]
      return { lines, data, ok: false }
    }
    const lines = [
      `Forgotten: the address and the names on ${erased} cards and their orders. The cards still work.`,
      `The newsletter has forgotten ${data.subscriptions} subscriptions of it.`,
      'What the payment account and the mail server keep of this person is theirs to erase.',
    ]
    return { lines, data, ok: true }
  },
}
