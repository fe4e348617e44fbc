import type { CardStatus } from '#domain/card/states.ts'
import { holdRefusal, releaseRefusal } from '#domain/desk/acts.ts'
import type { ActParts } from '#server/modules/desk/act-parts.ts'
import { type SetHold, setHold, setHoldOfMany } from '#server/modules/desk/acts.ts'
import type { FoundMany } from '#server/modules/desk/card-file.ts'
import { cardsHeld } from '#server/modules/gifts/holds.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { oneWord, readArguments } from './arguments.ts'
import { namedCard, namedMany } from './card-file.ts'
import { keysHere, refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'

/** `hold <card or order>`: nobody can use the card, or any card of the order, until it is released. */
export const hold: Command = {
  name: 'hold',
  usage: '<card or order>',
  summary: 'lets nobody use a card, or any card of an order, until you release it',
  run: (tools, args) =>
    withNamed(tools, readArguments(args).words, {
      async one(trx, parts, { id, giftKind }) {
        const { status, wasHeld } = await setHold(trx, parts, giftKind, { card: id, stands: true })
        const lines = [
          !isStopped(status)
            ? `Card ${id} is ${status}: nobody can use it any more as it is.`
            : wasHeld
              ? `Card ${id} was held already.`
              : `Nobody can use card ${id} until you say \`release ${id}\`.`,
        ]
        return { lines, data: { card: id, status }, ok: holdRefusal([{ status }]) === undefined }
      },
      async many(trx, parts, many) {
        const done = await setHoldOfMany(trx, parts, many, { stands: true })
        const { orderId: order, cards } = many
        const stopped = done.filter(({ status }) => isStopped(status))
        const over = cards.length - stopped.length
        const before = stopped.filter(({ wasHeld }) => wasHeld).length
        const lines = [
          stopped.length === 0
            ? `Nobody can use any of the ${cards.length} cards of order ${order} any more as it is.`
            : `Nobody can use ${countOf(stopped.length, cards.length)} of order ${order} until you say \`release ${order}\`.`,
          ...(before > 0 ? [`${before} of them ${before === 1 ? 'was' : 'were'} held already.`] : []),
          ...(over > 0 && stopped.length > 0
            ? [`${over} ${over === 1 ? 'was' : 'were'} used or given back before.`]
            : []),
        ]
        const ok = holdRefusal(done) === undefined
        return { lines, data: { order, cards: cards.length, held: stopped.length, before }, ok }
      },
    }),
}

/** `release <card or order>`: ends the holds that the operator made. */
export const release: Command = {
  name: 'release',
  usage: '<card or order> [--refund-not-made]',
  summary: 'lets a card, or every card of an order, be used again that you held',
  run(tools, args) {
    const { words, has } = readArguments(args, { flags: [NOT_MADE] })
    const followedOf = async (trx: Writer, ids: readonly string[]) =>
      has(NOT_MADE) ? cardsHeld(trx, ids, 'refund') : undefined
    return withNamed(tools, words, {
      async one(trx, parts, { id, giftKind }) {
        const set = { card: id, stands: false, followed: await followedOf(trx, [id]) }
        const { status, wasHeld, others } = await setHold(trx, parts, giftKind, set)
        const lines = [
          wasHeld ? `You hold card ${id} no longer.` : `You did not hold card ${id}.`,
          others.length === 0
            ? `It is ${status}.`
            : `It is ${status}, for another reason: ${others.join(', ')}.`,
          ...aboutRefund(others),
        ]
        const ok = releaseRefusal([{ wasHeld, others }]) === undefined
        return { lines, data: { card: id, status, others }, ok }
      },
      async many(trx, parts, many) {
        const followed = await followedOf(
          trx,
          many.cards.map(({ id }) => id),
        )
        const done = await setHoldOfMany(trx, parts, many, { stands: false, followed })
        const { orderId: order, cards } = many
        const released = done.filter(({ wasHeld }) => wasHeld)
        const lines = [
          released.length === 0
            ? `You did not hold any of the ${cards.length} cards of order ${order}.`
            : `You hold ${countOf(released.length, cards.length)} of order ${order} no longer.`,
          ...statesOf(done.filter(({ status, wasHeld }) => wasHeld || isStopped(status))),
          ...aboutRefund(done.flatMap(({ others }) => others)),
        ]
        const ok = releaseRefusal(done) === undefined
        return { lines, data: { order, cards: cards.length, released: released.length }, ok }
      },
    })
  },
}

/**
 * Whoever says it has looked into the payment account: the provider has no such refund, or is another one by now, which knows nothing
 * of the payment. One that is under way is not ended by it.
 */
const NOT_MADE = 'refund-not-made'

/** The terminal asks the provider nothing, so that a refund which may have been made is not taken for one that was not. */
const aboutRefund = (others: SetHold['others']): readonly string[] =>
  others.includes('refund')
    ? [
        'A refund was asked for, which may have been made. Release it in the Studio, which asks the payment provider,',
        'or here once the provider was asked about it, which is done every half hour.',
        'Where the payment account is another one by now, look into the one of then. If no refund stands there: --refund-not-made.',
      ]
    : []

const isStopped = (status: CardStatus): boolean => status === 'frozen' || status === 'cancelling'

const countOf = (some: number, all: number): string =>
  some === all ? `the ${all} cards` : `${some} of the ${all} cards`

/** What they are now, and why some are held all the same. */
function statesOf(done: readonly SetHold[]): readonly string[] {
  const states = new Map<string, number>()
  for (const { status, others } of done) {
    const state = others.length === 0 ? status : `${status} for another reason (${others.join(', ')})`
    states.set(state, (states.get(state) ?? 0) + 1)
  }
  return [...states].map(([state, count]) => `${count} ${count === 1 ? 'is' : 'are'} ${state}.`)
}

type OneCard = { readonly id: string } & Pick<Awaited<ReturnType<typeof namedCard>>, 'giftKind'>

/** Rows, their seals and the notes of the reason change in one transaction. */
async function withNamed(
  tools: Tools,
  words: readonly string[],
  act: {
    one(trx: Writer, parts: ActParts, card: OneCard): Promise<Report>
    many(trx: Writer, parts: ActParts, many: FoundMany): Promise<Report>
  },
): Promise<Report> {
  const word = oneWord(words, 'the id of one card, or of its order')
  const db = await tools.database()
  await refuseWrongSecret(tools)
  const { keys } = await keysHere(tools)
  if (keys === undefined)
    throw new Refusal('CARD_KEY_SECRET is not set here: without it the card cannot be sealed anew.')
  const parts = { keys, clock: tools.clock }
  return db.transaction(async trx => {
    const many = await namedMany(trx, word)
    if (many) return act.many(trx, parts, many)
    const { giftKind, card } = await namedCard(trx, word)
    return act.one(trx, parts, { id: card.id, giftKind })
  })
}
