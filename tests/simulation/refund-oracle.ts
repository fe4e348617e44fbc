import type { Stripe } from 'stripe'
import { readNamedCards } from '#domain/card/batch.ts'
import { namedCards } from '#server/modules/payments/named-cards.ts'
import { type Gift, statusOf, totalOf } from '../stories/journey-model.ts'
import { says } from './invoice-oracle.ts'
import { cardsOfMany, isUsed } from './many.ts'
import type { BoughtMany, RefundPress } from './refunds.ts'
import { chargeIdOf, type World } from './world.ts'

const found = (world: World, rule: string, says: string) => void world.findings.push({ rule, says })

/** All of a charge, those that failed too. */
async function refundsOf(world: World, chargeId: string): Promise<readonly Stripe.Refund[]> {
  return (await world.outside.dashboard.refunds.list({ charge: chargeId, limit: 100 })).data
}

const isMade = ({ status }: Stripe.Refund): boolean => status !== 'failed' && status !== 'canceled'

/** What the operator pressed at the desk is what went back: each once, and nothing of a card that somebody could use meanwhile. */
export async function refundsAsPressed(world: World): Promise<void> {
  const byOrder = Map.groupBy(world.refundPresses, ({ orderId }) => orderId)
  const { data: charges } = await world.outside.dashboard.charges.list({ limit: 100 })
  for (const [orderId, presses] of byOrder) {
    const charge = charges.find(
      ({ metadata, status }) => metadata.order_id === orderId && status === 'succeeded',
    )
    if (!charge) continue
    const refunds = await refundsOf(world, charge.id)
    const asked = refunds.filter(({ metadata }) => metadata?.operator === orderId)
    for (const like of Map.groupBy(presses, alike).values()) {
      const [one] = like
      const its = asked.filter(
        ({ amount, metadata }) => amount === one!.amount && namedCards(metadata) === namesOf(one!),
      )
      const says = `order ${orderId}: ${its.length} of ${one!.amount} for ${textOf(like)}`
      // Two presses that saw the same are one refund.
      const looks = new Set(like.filter(({ told }) => told.has('done')).map(({ left }) => left)).size
      // One that the bank sent back is asked for again by the press that comes after it.
      if (its.filter(isMade).length > like.length) found(world, 'given-back-twice', says)
      if (its.length < looks) found(world, 'told-and-not-given-back', says)
      const isWhole = like.every(({ isAll, used }) => isAll && !used)
      if (isWhole && its.some(isMade) && (await isUsed(world.eye, one!.card)))
        found(world, 'used-while-given-back', says)
    }
    for (const [card, pressed] of Map.groupBy(presses, ({ card }) => card)) {
      // Parts that are all of it together, each of which the operator pressed before anybody used the card.
      const isBlind = pressed.every(({ used }) => !used)
      const its = asked.filter(refund => isMade(refund) && pressed.some(press => isOf(press, refund)))
      const back = its.reduce((sum, { amount }) => sum + amount, 0)
      if (isBlind && back >= pressed[0]!.price && (await isUsed(world.eye, card)))
        found(world, 'used-while-given-back', `order ${orderId}: ${back} of ${textOf(pressed)}`)
    }
    const strangers = asked.filter(refund => !presses.some(press => isOf(press, refund)))
    if (strangers.length > 0)
      found(
        world,
        'given-back-unasked',
        `${strangers.map(({ id, amount }) => `${id} ${amount}`)} beside ${textOf(presses)}`,
      )
  }
}

const namesOf = ({ place }: RefundPress): string | undefined =>
  place === undefined ? undefined : String(place + 1)

const alike = ({ card, amount }: RefundPress): string => `${card} ${amount}`

const isOf = (press: RefundPress, { amount, metadata }: Stripe.Refund): boolean =>
  press.amount === amount && namesOf(press) === namedCards(metadata)

const textOf = (presses: readonly RefundPress[]): string =>
  JSON.stringify(presses.map(press => ({ ...press, told: [...press.told] })))

/** Orders of many that were paid through the provider: each card is worth what was paid, given, or back, and no two of them. */
export async function manyAsTheProviderSays(world: World): Promise<void> {
  for (const mine of world.bought.values()) if (mine.sessionId !== '') await asTheProviderSays(world, mine)
}

async function asTheProviderSays(world: World, mine: BoughtMany): Promise<void> {
  const { metadata } = await world.outside.dashboard.checkout.sessions.retrieve(mine.sessionId)
  mine.orderId = metadata?.order_id ?? ''
  const wrong = (rule: string, what: string) =>
    found(world, rule, `order ${mine.orderId} of ${mine.buyer}: ${what}`)
  const chargeId = await chargeIdOf(world.outside, mine.sessionId)
  const cards = await cardsOfMany(world.eye, mine)
  if (cards.length !== (chargeId === undefined ? 0 : mine.cards))
    return wrong('cards-otherwise', `${cards.length} of ${mine.cards}`)
  if (chargeId === undefined) return
  world.tally['sales of many'] = (world.tally['sales of many'] ?? 0) + 1
  const made = (await refundsOf(world, chargeId)).filter(isMade)
  const unit = totalOf(mine.price)
  const places = (refund: Stripe.Refund) =>
    (readNamedCards(namedCards(refund.metadata), mine.cards) ?? cards.map((_, n) => n)) as readonly number[]
  let most = 0
  for (const [place, card] of cards.entries()) {
    const its = made.filter(refund => places(refund).includes(place))
    const byHand = its.filter(({ metadata: of }) => of?.withdrawal === undefined)
    const hand = byHand.reduce((sum, { amount }) => sum + amount, 0)
    if (hand > unit) wrong('given-back-twice', `card ${place}: ${hand} of ${unit}`)
    const parts = await giftOf(world, card.id)
    const isWithdrawn = its.length > byHand.length
    const support = mine.price.net + mine.price.tax
    // Of a used card the support goes back, and what the operator has given besides.
    const withdrawn = parts ? Math.min(unit, hand + support) : unit
    const back = isWithdrawn ? withdrawn : hand
    most += back
    const charge = { isPaid: true, refunded: back, lost: 0, isDisputed: false }
    const status = statusOf(charge, mine.price, parts)
    if (card.status !== status)
      wrong('card-otherwise', `card ${place} is ${card.status}, and should be ${status} (${back} back)`)
    const given = mine.given.get(place)
    if (given && says(given) !== says(parts ?? {}))
      wrong('gift-lost', `card ${place}: ${says(given)}, kept is ${says(parts ?? {})}`)
  }
  const all = made.reduce((sum, { amount }) => sum + amount, 0)
  if (all > most) wrong('given-back-twice', `${all} went back, and ${most} could`)
}

async function giftOf(world: World, card: string): Promise<Gift | undefined> {
  if (!(await isUsed(world.eye, card))) return undefined
  const rows = await world.eye.read(db =>
    db.selectFrom('allocations').select(['ngo_id', 'amount']).where('card_id', '=', card).execute(),
  )
  const parts: Record<string, number> = {}
  for (const { ngo_id: ngo, amount } of rows) parts[ngo] = (parts[ngo] ?? 0) + amount
  return parts
}
