import { inside } from './machine.ts'
import type { Act, ServerNumber } from './plan.ts'
import type { Server } from './server.ts'
import type { World } from './world.ts'

/** An order of many cards, as its buyer and its recipients know it. Amounts in minor units. */
export interface OrderOfMany {
  readonly buyer: number
  readonly email: string
  readonly cards: number
  /** Of each card. */
  readonly price: { readonly ngo: number; readonly net: number; readonly tax: number }
  /** Empty as long as nobody was told. */
  orderId: string
  /** The places of the cards that its buyer was told are given back whole. */
  readonly withdrawn: Set<number>
  /** What was given, as its recipients were told, by the place of the card. */
  readonly given: Map<number, Readonly<Record<string, number>>>
  /** Has its buyer asked to withdraw from it, whatever came of that? The same press asks for another order then. */
  isWithdrawing: boolean
}

export const totalOfMany = ({ cards, price }: Pick<OrderOfMany, 'cards' | 'price'>): number =>
  cards * (price.ngo + price.net + price.tax)

/** The acts of those who have a card of many, and of their buyer, however it was paid. */
export type ManyActs = Extract<Act, { does: 'give-one' | 'withdraw-some' }>

type Parts = Pick<World, 'eye'> & {
  readonly find: (rule: string, says: string) => void
  readonly count: (name: string) => void
  readonly alive: (number: ServerNumber) => Server | undefined
  /** The order of a buyer, once somebody knows it. */
  readonly orderOf: (buyer: number) => Promise<OrderOfMany | undefined>
}

/** Plays what recipients of many cards, and whoever bought them, do. */
export function createManyPlay({ eye, find, count, alive, orderOf }: Parts) {
  async function giveOne({
    buyer,
    place,
    points,
    on,
  }: Extract<ManyActs, { does: 'give-one' }>): Promise<string> {
    const mine = await orderOf(buyer)
    const card = mine && (await cardsOfMany(eye, mine))[place]
    const its = alive(on)
    const [one, other] = its?.listed() ?? []
    if (!card || !its || !one || !other) return 'no card'
    const key = its.keys.privateKey(card.id, card.key_version)
    const most = mine.price.ngo / 100
    const selection = [
      { ngoId: one, points: Math.min(points[0], most - 1) },
      { ngoId: other, points: 1 },
    ].filter(each => each.points > 0)
    const { allocations } = await inside(its.life, () =>
      its.cards.redeem(key, selection, `press ${buyer} ${place} ${points[0]}`),
    )
    const amounts = Object.fromEntries(allocations.map(({ ngoId, amount }) => [ngoId, amount.amount]))
    const before = mine.given.get(place)
    if (before && JSON.stringify(before) !== JSON.stringify(amounts))
      find('card-spent-twice', `card ${place} of ${mine.orderId}`)
    if (!before) count('gifts of many')
    mine.given.set(place, amounts)
    return before ? 'repeated' : 'given'
  }

  async function withdrawSome({
    buyer,
    places,
    on,
  }: Extract<ManyActs, { does: 'withdraw-some' }>): Promise<string> {
    const mine = await orderOf(buyer)
    const its = alive(on)
    if (!mine || !its) return 'nothing'
    mine.isWithdrawing = true
    const words = { name: 'Escola del Mar', email: mine.email }
    const key = its.keys.withdrawalKey(mine.orderId, 1)
    const { confirmed, many } = await inside(its.life, () =>
      its.withdrawals.confirm(mine.orderId, key, words, places),
    )
    if (!confirmed) return 'not confirmed'
    for (const { state, answer, cards } of many?.withdrawals ?? [confirmed])
      if (answer === 'whole' && state !== 'failed' && state !== 'closed') {
        const all = Array.from({ length: mine.cards }, (_, n) => n + 1)
        for (const number of cards ?? all) mine.withdrawn.add(number - 1)
      }
    return `${confirmed.answer} ${confirmed.state}`
  }

  return {
    /** Plays one of their acts. @returns what came of it, in a word */
    perform: (asked: ManyActs): Promise<string> =>
      asked.does === 'give-one' ? giveOne(asked) : withdrawSome(asked),
  }
}

/** The cards of an order, by their places. */
export const cardsOfMany = (eye: World['eye'], { orderId }: Pick<OrderOfMany, 'orderId'>) =>
  eye.read(db =>
    db
      .selectFrom('cards')
      .select(['id', 'key_version', 'position', 'status'])
      .where('order_id', '=', orderId)
      .orderBy('position')
      .execute(),
  )

/** Has somebody given with a card, or was it drawn for? */
export const isUsed = async (eye: World['eye'], card: string): Promise<boolean> =>
  (await eye.read(db =>
    db.selectFrom('redemptions').select('card_id').where('card_id', '=', card).executeTakeFirst(),
  )) !== undefined
