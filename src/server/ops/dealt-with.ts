import { findCard } from '#server/modules/desk/card-file.ts'
import { dealWithMail, mailsThatWait } from '#server/modules/desk/dealt-with.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedMany } from './card-file.ts'
import { type Command, Refusal } from './command.ts'

/** `dealt-with <card, order or mail>`: its mails that were given up are asked for no more, with a line of the audit log each. */
export const dealtWith: Command = {
  name: 'dealt-with',
  usage: '<card, order or mail>',
  summary: 'notes that you have dealt with a mail that was given up, so that nothing asks for it any more',
  async run(tools, args) {
    const word = oneWord(readArguments(args).words, 'one card, order or mail, as `cards --unsent` names it')
    const db = await tools.database()
    const mails = await db.transaction(async trx => {
      const waiting = await waitingMails(trx, word)
      for (const mail of waiting)
        await dealWithMail(trx, mail, { actor: 'terminal', person: null }, tools.clock())
      return waiting
    })
    const lines = mails.map(mail => `Noted: mail ${mail} was dealt with. Nothing asks for it any more.`)
    return { lines, data: { mails }, ok: true }
  },
}

/** What mails about this are named after: of an order of many, the order and each of its cards. */
async function subjectsOf(db: Reader, word: string): Promise<readonly string[]> {
  const many = await namedMany(db, word)
  if (many) return [word, ...many.cards.map(({ id }) => id)]
  return [(await findCard(db, word))?.card.id ?? word]
}

/** The mails of this id, or about this, that wait for somebody. @throws Refusal where there is none */
async function waitingMails(db: Reader, word: string): Promise<readonly string[]> {
  const about = isIdShaped(word) ? await subjectsOf(db, word) : []
  const mails = [...(await mailsThatWait(db, 'id', about)), ...(await mailsThatWait(db, 'subject', about))]
  if (mails.length === 0)
    throw new Refusal(`No mail of "${word}" waits for somebody. \`cards --unsent\` names those that do.`)
  return mails
}
