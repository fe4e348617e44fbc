import type { Act as DeskAct } from '#domain/desk/acts.ts'
import type { Currency } from '#domain/money/currency.ts'
import { isProblem } from '#domain/problems.ts'
import { inside } from './machine.ts'
import { cardsOfMany, isUsed, type OrderOfMany } from './many.ts'
import type { Outside } from './outside.ts'
import type { Act, ServerNumber } from './plan.ts'
import { PURCHASES } from './purchases.ts'
import type { Server } from './server.ts'
import type { World } from './world.ts'

/** Many cards that were paid through the provider, as their buyer knows them. */
export interface BoughtMany extends OrderOfMany {
  readonly currency: Currency
  sessionId: string
}

/** A press of the operator's that gives money of a card back, however often the browser sent it. Amounts in minor units. */
export interface RefundPress {
  readonly key: string
  readonly orderId: string
  readonly card: string
  /** The place of the card, from 0 on; undefined where it was bought alone. */
  readonly place: number | undefined
  /** What the card cost. */
  readonly price: number
  readonly amount: number
  readonly left: number
  readonly currency: Currency
  /** Is it all that was left of the card? Then nobody is to use it meanwhile. */
  readonly isAll: boolean
  /** Was the card used when the operator looked? Then its price goes back at a loss, and the operator saw that. */
  readonly used: boolean
  /** What the operator was told, once there was an answer: that it is done, or why not. */
  readonly told: Set<string>
}

/** The acts at the desk that give money back, and the purchases of many cards that they are about. */
export type RefundActs = Extract<Act, { does: 'buy-many' | 'refund-at-desk' | 'release-at-desk' }>

type Parts = Pick<World, 'eye' | 'bought' | 'refundPresses'> & {
  readonly outside: Outside
  readonly count: (name: string) => void
  readonly alive: (number: ServerNumber) => Server | undefined
  /** The one card that a buyer bought, once there is one. */
  readonly cardOf: (buyer: number) => Promise<{ readonly card: OneCard } | undefined>
  /** An order by invoice, once somebody knows it. */
  readonly invoicedTo: (buyer: number) => Promise<OrderOfMany | undefined>
  /** Pays on the provider's page. */
  readonly pay: (
    bought: { readonly sessionId: string; readonly email: string },
    card: Extract<RefundActs, { does: 'buy-many' }>['card'],
  ) => Promise<void>
}

interface OneCard {
  readonly id: string
  readonly order_id: string | null
}

/** Plays the operator who gives money back at the desk. */
export function createRefundPlay({
  eye,
  bought,
  refundPresses,
  outside,
  count,
  alive,
  cardOf,
  invoicedTo,
  pay,
}: Parts) {
  let releases = 0
  /** What the browser sends for each press, again and again. */
  const presses = new Map<string, Promise<RefundPress | undefined>>()

  /** Its order, also where its buyer was never told: the provider's page says whose it is. */
  async function orderOf(buyer: number): Promise<BoughtMany | undefined> {
    const mine = bought.get(buyer)
    if (!mine?.sessionId) return undefined
    const { metadata } = await outside.dashboard.checkout.sessions.retrieve(mine.sessionId)
    mine.orderId = metadata?.order_id ?? ''
    return mine
  }

  async function buyMany(asked: Extract<RefundActs, { does: 'buy-many' }>): Promise<string> {
    const { net, tax, ...purchase } = PURCHASES[asked.purchase]
    const its = alive(asked.on)
    if (!its) return 'nobody there'
    if (bought.get(asked.buyer)?.sessionId) return 'bought before'
    const mine: BoughtMany = {
      buyer: asked.buyer,
      email: `club${asked.buyer}@mail.example`,
      cards: asked.cards,
      price: { ngo: purchase.ngoAmount, net, tax },
      currency: purchase.currency,
      orderId: '',
      sessionId: '',
      withdrawn: new Set(),
      given: new Map(),
      isWithdrawing: false,
    }
    bought.set(asked.buyer, mine)
    const { url } = await inside(its.life, () =>
      its.payments.startDonation({
        ...purchase,
        cards: asked.cards,
        themeId: 'ukraine',
        sender: { kind: 'own', name: `Club ${asked.buyer}` },
        language: 'en',
        termsVersion: its.terms(),
        fulfilmentConsent: true,
        attemptKey: `attempt ${asked.buyer}`,
        donor: { name: `Club ${asked.buyer}`, document: 'F08123456' },
      }),
    )
    mine.sessionId = url.slice(url.lastIndexOf('/') + 1)
    await pay(mine, asked.card)
    return 'paid or tried'
  }

  /** The card that an act is about; the one at a place of an order of many. */
  async function meant(buyer: number, place: number): Promise<(OneCard & { isOfMany: boolean }) | undefined> {
    const mine = (await orderOf(buyer)) ?? (await invoicedTo(buyer))
    if (!mine) {
      const found = await cardOf(buyer)
      return found && { ...found.card, isOfMany: false }
    }
    const card = (await cardsOfMany(eye, mine))[place]
    return card && { id: card.id, order_id: mine.orderId, isOfMany: true }
  }

  /** What the operator reads in the file of a card, and asks for. */
  async function read({
    buyer,
    place,
    part,
    press: n,
  }: Extract<RefundActs, { does: 'refund-at-desk' }>): Promise<RefundPress | undefined> {
    const card = await meant(buyer, place)
    if (!card?.order_id) return undefined
    const { id, order_id: orderId, isOfMany } = card
    const { order, back, own } = await eye.read(async db => ({
      order: await db
        .selectFrom('orders')
        .select(['total_amount', 'card_count', 'currency'])
        .where('id', '=', orderId)
        .executeTakeFirstOrThrow(),
      back: await db.selectFrom('reversals').selectAll().where('order_id', '=', orderId).executeTakeFirst(),
      own: await db.selectFrom('card_reversals').selectAll().where('card_id', '=', id).executeTakeFirst(),
    }))
    const left = order.total_amount - (back?.refunded ?? 0) - (back?.lost ?? 0)
    const of = order.total_amount / order.card_count - (own?.refunded ?? 0) - (own?.lost ?? 0)
    const most = isOfMany ? Math.min(left, of) : left
    const amount = part === 'all' ? most : Math.min(most, part === 'half' ? Math.floor(most / 2) : 100)
    if (amount <= 0) return undefined
    const made: RefundPress = {
      key: `refund ${buyer} ${n}`,
      orderId,
      card: id,
      place: isOfMany ? place : undefined,
      price: order.total_amount / order.card_count,
      amount,
      left,
      currency: order.currency,
      isAll: amount === most,
      used: await isUsed(eye, id),
      told: new Set(),
    }
    refundPresses.add(made)
    return made
  }

  return {
    orderOf,

    /** Plays one of the acts. @returns what came of it, in a word */
    async perform(asked: RefundActs): Promise<string> {
      if (asked.does === 'buy-many') return buyMany(asked)
      const its = alive(asked.on)
      if (!its) return 'nobody there'
      // By a clock that is hours off a refund that is under way looks left over (domain/card/holds.ts).
      if (outside.areClocksApart) return 'clocks apart'
      if (asked.does === 'release-at-desk') {
        const card = await meant(asked.buyer, asked.place === 'all' ? 0 : asked.place)
        if (!card) return 'nothing'
        const word = asked.place === 'all' && card.isOfMany ? card.order_id! : card.id
        return atDesk(its, { act: 'release', card: word }, `release ${++releases}`)
      }
      const name = `${asked.buyer} ${asked.press}`
      const pressing = presses.get(name) ?? read(asked)
      presses.set(name, pressing)
      const pressed = await pressing
      if (!pressed) return 'nothing'
      const { key, card, amount, left, currency, used } = pressed
      const answer = await atDesk(its, { act: 'refund', card, amount, left, currency, used }, key)
      pressed.told.add(answer === 'done before' ? 'done' : answer)
      count(`refund at the desk: ${answer}`)
      return answer
    },
  }
}

/** An act at the desk of a server. @returns `done`, or the rule by which it was refused. @throws whatever is no answer */
export async function atDesk(its: Server, asked: DeskAct, key: string): Promise<string> {
  try {
    const { isRepeated } = await inside(its.life, () => its.act(asked, { key, person: null }))
    return isRepeated ? 'done before' : 'done'
  } catch (error) {
    if (isProblem(error) && error.code === 'act-refused') return error.details.fields?.[0]?.rule ?? error.code
    throw error
  }
}
