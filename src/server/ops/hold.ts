import { setHold } from '#server/modules/desk/acts.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedCard } from './card-file.ts'
import { keysHere, refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Tools } from './command.ts'

/** `hold <card or order>`: nobody can use the card until it is released. */
export const hold: Command = {
  name: 'hold',
  usage: '<card or order>',
  summary: 'lets nobody use a card until you release it',
  async run(tools, args) {
    const { id, status, held } = await holdOrRelease(tools, args, true)
    const lines = [
      held.before
        ? `Card ${id} was held already.`
        : status === 'frozen' || status === 'cancelling'
          ? `Nobody can use card ${id} until you say \`release ${id}\`.`
          : `Card ${id} is ${status}: nobody can use it any more as it is.`,
    ]
    return { lines, data: { card: id, status }, ok: true }
  },
}

/** `release <card or order>`: ends a hold that the operator made. */
export const release: Command = {
  name: 'release',
  usage: '<card or order>',
  summary: 'lets a card be used again that you held',
  async run(tools, args) {
    const { id, status, held, others } = await holdOrRelease(tools, args, false)
    const lines = [
      held.before ? `You hold card ${id} no longer.` : `You did not hold card ${id}.`,
      others.length === 0 ? `It is ${status}.` : `It is ${status}, for another reason: ${others.join(', ')}.`,
    ]
    return { lines, data: { card: id, status, others }, ok: true }
  },
}

/** The card's row, its seal and the note of the reason change in one transaction. */
async function holdOrRelease(tools: Tools, args: readonly string[], stands: boolean) {
  const word = oneWord(readArguments(args).words, 'the id of one card, or of its order')
  const db = await tools.database()
  await refuseWrongSecret(tools)
  const { keys } = await keysHere(tools)
  if (keys === undefined)
    throw new Refusal('CARD_KEY_SECRET is not set here: without it the card cannot be sealed anew.')
  return db.transaction(async trx => {
    const {
      giftKind,
      card: { id },
    } = await namedCard(trx, word)
    const { wasHeld, ...held } = await setHold(trx, { keys, clock: tools.clock }, giftKind, {
      card: id,
      stands,
    })
    return { id, ...held, held: { before: wasHeld } }
  })
}
