import { numberOfCard } from '#domain/card/batch.ts'
import { isRefundUnderWay } from '#domain/card/holds.ts'
import { isGiven } from '#domain/card/states.ts'
import type { ActRefusal, RefundAsked } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { heldSince, holdCard, nameOfPart, noteHold, statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { cardsOfOrder, lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { forgetSight, sight, sightedAt } from '#server/platform/db/sightings.ts'
import { type ActParts, type DeskActParts, refuse } from './act-parts.ts'
import type { FoundCard } from './card-file.ts'
import { type CallsOfPress, callsOf, forgetCall, forgetCalls, noteCall } from './refund-calls.ts'

/** A refund of a card that a press asks for. */
interface AskedRefund extends CallsOfPress {
  readonly orderId: string
  /** Which of many cards it is for; undefined where the order has one. */
  readonly number: number | undefined
  /** Had somebody used the card when the operator looked? */
  readonly used: boolean
}

/** A refund that a call of a press has begun. Epoch ms UTC. */
interface BegunRefund {
  readonly since: number
  /** Since when a left-over stood, whose place it took; undefined where there was none. */
  readonly leftOver: number | undefined
  /** When the provider last refused the same; undefined where it never did. */
  readonly refusedAt: number | undefined
}

interface Paid {
  readonly giftKind: GiftKind
  readonly card: FoundCard['card']
  readonly orderId: string | null
}

/**
 * Gives money back. All that is left goes back only of a card that nobody can use meanwhile, so it is held until the payment
 * provider has answered. If the process dies between, or no answer comes, it stays held, and says so. Of an order of many
 * it is the money of the one card that was asked for, whatever is left of the others: that card is held, and no other is
 * touched, so that nobody holds some cards of an order while somebody else holds the rest.
 * @param press by what the press is known, however often it is sent
 */
export async function giveBack(
  parts: DeskActParts,
  { giftKind, card, orderId }: Paid,
  asked: RefundAsked,
  press: string,
): Promise<void> {
  if (orderId === null) return refuse('nothing-paid')
  const all = await parts.db.read(reader => cardsOfOrder(reader, giftKind, orderId))
  const number = all.length > 1 && 'position' in card ? numberOfCard(card.position) : undefined
  const holds = number !== undefined || asked.amount === asked.left
  const refund: AskedRefund = { card: card.id, press, holds, orderId, number, used: asked.used }
  const begun = await parts.db.transaction(trx => beginRefund(trx, parts, giftKind, refund))
  // An answer that was lost may be of a refund that was made: then nothing below happens, and the card stays held.
  const refusal = await parts.refund(orderId, asked, {
    ...{ number, refusedAt: begun.refusedAt, press },
    stands: () => parts.db.read(reader => isStanding(reader, refund, parts.clock())),
  })
  await parts.db.transaction(trx => endOfRefund(trx, parts, giftKind, { ...refund, ...begun, refusal }))
  if (refusal !== undefined) refuse(refusal)
}

/**
 * Begins a refund of a card, and holds the card where it has to. The hold is the refund's own: an operator who holds the card
 * meanwhile, or held it before, ends that hold and nobody else does. One press gives back money of a card at a time: of two
 * parts that are all of it together, neither would hold the card, and of a part and the whole the second would go on when the
 * first ends its hold. The same press may come again, since its answer may have been lost, and takes the place over, so that
 * the call before does not end it. Problem act-refused.
 * @returns by what `endOfRefund` knows the refund
 */
async function beginRefund(
  trx: Writer,
  { keys, clock }: ActParts,
  giftKind: GiftKind,
  refund: AskedRefund,
): Promise<BegunRefund> {
  const { card: cardId, holds } = refund
  const card = await lockCard(trx, giftKind, cardId)
  if (!card) throw new Problem('card-not-found')
  // What goes back of a used card is the product's own loss, which the operator has to have seen.
  const statusOf = await statusesToWithdraw(trx, [card])
  if (isGiven(statusOf(card)) && !refund.used) refuse('changed')
  const now = clock()
  let at = now
  let leftOver: number | undefined
  for (const each of [true, false]) {
    const since = await refundSince(trx, { card: cardId, holds: each })
    if (since === undefined) continue
    if (isRefundUnderWay(since, now)) {
      if (!(await callsOf(trx, { ...refund, holds: each })).includes(since)) refuse('refund-under-way')
      at = Math.max(at, since + 1)
    } else if (each === holds) leftOver = since
  }
  await standSince(trx, refund, at)
  if (holds) await holdCard(trx, keys, giftKind, card, { reason: 'refund', stands: true, at })
  await noteCall(trx, refund, at)
  // In the same transaction: a refusal that another call is told of from now on frees the card, and this one asks as that one did.
  return { since: at, leftOver, refusedAt: await sightedAt(trx, nameOfRefusal(refund)) }
}

/** Since when a refund of a card is under way, or was left over, epoch ms UTC; undefined where none is. */
const refundSince = async (db: Reader, { card, holds }: Pick<AskedRefund, 'card' | 'holds'>) =>
  holds ? heldSince(db, card, 'refund') : sightedAt(db, nameOfPart(card))

/**
 * Is a refund of this press under way? Not where another of its calls had the answer, where all of the money went back otherwise meanwhile,
 * or where the process was paused for so long that somebody released the card. @param now epoch ms UTC
 */
async function isStanding(db: Reader, refund: AskedRefund, now: number): Promise<boolean> {
  const since = await refundSince(db, refund)
  return since !== undefined && isRefundUnderWay(since, now) && (await callsOf(db, refund)).includes(since)
}

/** Notes since when a refund of a card is under way, in the place of what was noted before. @param at epoch ms UTC */
async function standSince(
  trx: Writer,
  { card, holds }: Pick<AskedRefund, 'card' | 'holds'>,
  at: number,
): Promise<void> {
  if (!holds) return sight(trx, nameOfPart(card), at)
  await noteHold(trx, card, { reason: 'refund', stands: false, at })
  await noteHold(trx, card, { reason: 'refund', stands: true, at })
}

/**
 * Under what name it is kept when the provider last refused the same: it keeps a refusal under the key of the call, so that the next
 * one is asked for under another. Of an order of many each card by itself: a call that is on its way would else be made again
 * under another key.
 */
const nameOfRefusal = ({ orderId, number }: Pick<AskedRefund, 'orderId' | 'number'>): string =>
  ['operator-not-refunded', orderId, ...(number === undefined ? [] : [number])].join(':')

/**
 * What came of it: `answered` where the provider made or refused it, which it does to every call of a press alike; `refused` by our
 * rules, with what the provider says went back; `unknown` where the provider has no such payment.
 */
type RefundOutcome = 'answered' | 'refused' | 'unknown'

const outcomeOf = (refusal: ActRefusal | undefined): RefundOutcome => {
  if (refusal === undefined || refusal === 'provider-refused') return 'answered'
  return refusal === 'nothing-paid' ? 'unknown' : 'refused'
}

/**
 * Ends what one call began, and no other. One that was refused before the provider was asked for it knows nothing of the calls of its
 * press before it, which may be asking at that moment: it gives the place back to the newest of those that have not ended. So it
 * does to a left-over of which the provider, perhaps of another account, could not say what became.
 */
async function endOfRefund(
  trx: Writer,
  { keys, clock }: ActParts,
  giftKind: GiftKind,
  refund: AskedRefund & BegunRefund & { readonly refusal: ActRefusal | undefined },
): Promise<void> {
  const { since, leftOver, refusal } = refund
  const card = await lockCard(trx, giftKind, refund.card)
  if (!card) return
  const now = clock()
  if (refusal === 'provider-refused') await noteRefusal(trx, refund, now)
  await forgetCall(trx, refund, since)
  // Once all of the money is back its hold is over already; else a later call has the place.
  if ((await refundSince(trx, refund)) !== since) return
  const outcome = outcomeOf(refusal)
  if (outcome !== 'answered') {
    const place = (await callsOf(trx, refund)).find(at => isRefundUnderWay(at, now))
    const whose = place ?? (outcome === 'unknown' ? leftOver : undefined)
    if (whose !== undefined) return standSince(trx, refund, whose)
  }
  await forgetCalls(trx, refund)
  if (refund.holds) await holdCard(trx, keys, giftKind, card, { reason: 'refund', stands: false, at: now })
  else await forgetSight(trx, nameOfPart(refund.card))
}

/** Keeps that the provider refused; not where the next key is in use already. @param now epoch ms UTC */
async function noteRefusal(trx: Writer, refund: AskedRefund & BegunRefund, now: number): Promise<void> {
  const name = nameOfRefusal(refund)
  if ((await sightedAt(trx, name)) !== refund.refusedAt) return
  await sight(trx, name, Math.max(now, (refund.refusedAt ?? 0) + 1))
}
