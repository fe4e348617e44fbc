import { fakeChance } from '../support/fake-chance.ts'
import type { Weather } from './outside.ts'
import { CARD } from './purchases.ts'

export type ServerNumber = 0 | 1

/** What somebody does: a buyer, a recipient, a thief, the provider, the operator, or what a machine suffers. */
export type Act = Deed & {
  /** So many ms after the scene has begun. */
  readonly later?: number
}

type Deed =
  | {
      readonly does: 'buy'
      readonly buyer: number
      readonly purchase: 0 | 1 | 2
      readonly card: keyof typeof CARD
      readonly on: ServerNumber
    }
  /** A recipient adds own money, and says how it is divided between the first two organisations. */
  | {
      readonly does: 'add-own'
      readonly buyer: number
      readonly purchase: 0 | 1
      readonly parts: readonly [number, number]
      readonly card: keyof typeof CARD
      readonly on: ServerNumber
    }
  /** The list of organisations loses its second one, or has it again. */
  | { readonly does: 'list'; readonly isWhole: boolean }
  | {
      readonly does: 'return' | 'look' | 'give-again' | 'leave' | 'withdraw' | 'lose-links' | 'answer'
      readonly buyer: number
      readonly on: ServerNumber
    }
  | {
      readonly does: 'give'
      readonly buyer: number
      readonly points: readonly [number, number]
      readonly on: ServerNumber
    }
  | {
      readonly does: 'steal'
      readonly buyer: number
      readonly how: 'public-key' | 'guess' | 'forged-event' | 'strange-session'
      readonly on: ServerNumber
    }
  | { readonly does: 'claim'; readonly person: number; readonly on: ServerNumber }
  /** Many cards by invoice. */
  | {
      readonly does: 'order'
      readonly buyer: number
      readonly purchase: 0 | 1
      readonly cards: number
      readonly on: ServerNumber
    }
  /** What is missing of it, or half of that, arrives at the operator's bank. */
  | { readonly does: 'transfer'; readonly buyer: number; readonly part: 'all' | 'half' }
  /** The treasurer says what the bank did, in the Studio of a server or at the terminal. */
  | {
      readonly does: 'say-paid' | 'cancel' | 'say-back'
      readonly buyer: number
      readonly at: ServerNumber | 'terminal'
    }
  /** The treasurer goes through the bank's statement. */
  | { readonly does: 'look-at-bank' }
  /** The operator gives the price of one card back, for a reason of their own. */
  | { readonly does: 'refund-one'; readonly buyer: number; readonly place: number; readonly on: ServerNumber }
  | {
      readonly does: 'give-one'
      readonly buyer: number
      /** From 0 on. */
      readonly place: number
      readonly points: readonly [number, number]
      readonly on: ServerNumber
    }
  | {
      readonly does: 'withdraw-some'
      readonly buyer: number
      readonly places: 'all' | readonly number[]
      readonly on: ServerNumber
    }
  | { readonly does: 'refund'; readonly buyer: number; readonly part: 'all' | 'a little' }
  /** Many cards that are paid through the provider. */
  | {
      readonly does: 'buy-many'
      readonly buyer: number
      readonly purchase: 0 | 1
      readonly cards: number
      readonly card: keyof typeof CARD
      readonly on: ServerNumber
    }
  /** The operator gives money of a card back in the Studio. The same press of a buyer is the same request, sent again. */
  | {
      readonly does: 'refund-at-desk'
      readonly buyer: number
      /** From 0 on; of no meaning where one card was bought. */
      readonly place: number
      readonly press: number
      readonly part: 'all' | 'half' | 'a little'
      readonly on: ServerNumber
    }
  | {
      readonly does: 'release-at-desk'
      readonly buyer: number
      readonly place: number | 'all'
      readonly on: ServerNumber
    }
  | { readonly does: 'decide'; readonly buyer: number; readonly isWon: boolean }
  | { readonly does: 'hold' | 'release' | 'erase'; readonly buyer: number }
  | { readonly does: 'events' | 'operate' | 'publish' }
  | { readonly does: 'work'; readonly on: ServerNumber }
  | { readonly does: 'kill'; readonly on: ServerNumber; readonly after: number }
  | { readonly does: 'fill-disk'; readonly on: ServerNumber }
  | { readonly does: 'set-clock'; readonly on: ServerNumber; readonly ms: number }

/** Acts that begin at the same moment. */
export interface Scene {
  /** Its choices and its chance follow from this name and the seed, whatever else happens. */
  readonly name: string
  /** Ms after the beginning. */
  readonly at: number
  readonly acts: readonly Act[]
  /** How often somebody else goes on in between, 0 to 1. */
  readonly heat: number
  readonly weather: Partial<Weather>
}

export interface Plan {
  /** Epoch ms. */
  readonly begins: number
  readonly scenes: readonly Scene[]
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Those who add own money are numbered from here on. */
const FIRST_OWN = 1_000
/** Those who order many cards and pay through the provider. */
const FIRST_BOUGHT = 3_000
/** Those who order many cards by invoice. */
const FIRST_INVOICED = 2_000
/** A card's year, and the days in which its draw is seen. */
const DAYS = 425
/** The first year begins so that 29 February and both changes of the clock lie in it. */
const FIRST = Date.parse('2027-03-01T00:00:00Z')
const LEAP_DAY = Date.parse('2028-02-29T00:00:00Z')
/** In these nights Europe's clocks change. */
const CHANGES = ['2027-03-28T00:30:00Z', '2027-10-31T00:30:00Z', '2028-03-26T00:30:00Z'].map(day =>
  Date.parse(day),
)

/**
 * The year of a seed.
 * @param buyers how many buy a card in it; with few of them the servers also work less often
 * @param days only so many of its days
 */
export function planOf(seed: number, buyers: number, days: number = DAYS): Plan {
  const chance = fakeChance(seed * 2_654_435_761)
  const begins = FIRST + Math.floor(chance() * 300) * DAY
  const scenes: Scene[] = []
  const storms = stormsOf(chance)
  const weatherAt = (at: number) =>
    Object.assign(
      {},
      ...storms.filter(({ from, to }) => from <= at && at < to).map(({ weather }) => weather),
    ) as Partial<Weather>
  const add = (at: number, acts: readonly Act[], heat = chance() < 0.5 ? 1 : chance()) =>
    scenes.push({ name: `${scenes.length}`, at: Math.round(at), acts, heat, weather: weatherAt(at) })
  const one = <T>(...of: readonly T[]): T => of[Math.floor(chance() * of.length)]!
  const server = (): ServerNumber => (chance() < 0.5 ? 0 : 1)
  const maybe = (share: number, ...acts: readonly Act[]): readonly Act[] => (chance() < share ? acts : [])

  const seldom = Math.max(1, 12 / buyers)
  for (let at = 2 * HOUR; at < DAYS * DAY; at += (1 + chance() * 6) * seldom * DAY) {
    add(
      at,
      [
        { does: 'work', on: server() },
        { does: 'events' },
        ...maybe(0.25, { does: 'work', on: server() }),
        ...maybe(0.06, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 250) }),
        ...maybe(0.02, { does: 'fill-disk', on: server() }),
        ...maybe(0.04, { does: 'set-clock', on: server(), ms: one(-10, -1, 0, 1, 10) * HOUR }),
        ...maybe(0.03, { does: 'publish' }),
      ],
      chance() < 0.8 ? 0 : 0.3,
    )
    add(at + 2 * HOUR, [{ does: 'operate' }], 0)
  }

  /** When each bought a card. */
  const boughtAt: number[] = []
  for (let buyer = 0; buyer < buyers; buyer++) {
    let at = chance() < 0.5 ? chance() * 40 * DAY : chance() * 365 * DAY
    if (buyer === 0) at = LEAP_DAY + chance() * DAY - begins
    if (buyer === 1)
      at =
        one(...CHANGES.filter(each => each > begins && each < begins + 360 * DAY)) - begins + chance() * HOUR
    boughtAt.push(at)
    const card = chance() < 0.6 ? 'good' : one(...(Object.keys(CARD) as (keyof typeof CARD)[]))
    const kills = (share: number) =>
      maybe(share, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 60) })
    add(at, [
      { does: 'buy', buyer, purchase: one(0, 1, 2), card, on: server() },
      ...maybe(0.3, { does: 'work', on: server() }),
      ...kills(0.08),
    ])
    add(at + 3_000 + chance() * 20_000, [
      ...maybe(0.6, { does: 'return', buyer, on: server() }),
      ...maybe(0.3, { does: 'return', buyer, on: server() }),
      ...maybe(0.8, { does: 'events' }),
      ...maybe(0.5, { does: 'work', on: 0 }),
      ...maybe(0.5, { does: 'work', on: 1 }),
      ...kills(0.15),
    ])
    add(at + 15 * 60_000, [
      { does: 'events' },
      { does: 'work', on: 0 },
      { does: 'work', on: 1 },
      ...kills(0.1),
    ])
    const points = (): readonly [number, number] => [Math.floor(chance() * 3), 1 + Math.floor(chance() * 2)]
    if (chance() < 0.2)
      add(at + chance() * 12 * DAY, [
        { does: 'withdraw', buyer, on: server() },
        ...maybe(0.4, { does: 'give', buyer, points: points(), on: server() }),
        ...maybe(0.3, { does: 'withdraw', buyer, on: server() }),
        ...maybe(0.3, { does: 'events' }),
        ...kills(0.2),
      ])
    if (chance() < 0.12) {
      const when = at + chance() * 60 * DAY
      add(when, [
        { does: 'refund', buyer, part: one('all', 'a little') },
        ...maybe(0.5, { does: 'give', buyer, points: points(), on: server() }),
        ...maybe(0.6, { does: 'events' }),
      ])
      add(when + 30_000, [{ does: 'events' }, { does: 'work', on: server() }])
    }
    if (chance() < 0.12)
      add(at + chance() * 30 * DAY, [
        { does: 'lose-links', buyer, on: server() },
        { does: 'work', on: server() },
      ])
    if (chance() < 0.06) {
      const when = at + chance() * 30 * DAY
      add(when, [
        { does: 'hold', buyer },
        ...maybe(0.5, { does: 'give', buyer, points: points(), on: server() }),
      ])
      add(when + 5 * DAY, [{ does: 'release', buyer }])
    }
    if (card === 'disputed' || card === 'notReceived') {
      add(at + 2 * HOUR, [
        { does: 'events' },
        { does: 'work', on: server() },
        ...maybe(0.5, { does: 'give', buyer, points: points(), on: server() }),
      ])
      add(at + (1 + chance() * 20) * DAY, [
        { does: 'decide', buyer, isWon: chance() < 0.5 },
        { does: 'events' },
      ])
    }
    if (chance() < 0.6) {
      const when = at + chance() * chance() * 300 * DAY + HOUR
      add(when, [
        { does: 'give', buyer, points: points(), on: server() },
        ...maybe(0.4, { does: 'give', buyer, points: points(), on: server() }),
        ...maybe(0.2, { does: 'look', buyer, on: server() }),
        ...maybe(0.2, {
          does: 'steal',
          buyer,
          how: one('public-key', 'guess', 'forged-event', 'strange-session'),
          on: server(),
        }),
        ...kills(0.15),
      ])
      add(when + 60_000, [
        ...maybe(0.5, { does: 'give-again', buyer, on: server() }),
        ...maybe(0.3, { does: 'answer', buyer, on: server() }),
        { does: 'work', on: server() },
      ])
      // Too late: the gift is given.
      if (chance() < 0.25) add(when + chance() * DAY, [{ does: 'withdraw', buyer, on: server() }])
    } else if (chance() < 0.4)
      // At the last moment, beside the draw.
      add(at + 365 * DAY + one(-1, 0, 1, 2) * 12 * HOUR, [
        { does: 'give', buyer, points: points(), on: server() },
        { does: 'work', on: 0 },
        { does: 'work', on: 1 },
        ...kills(0.2),
      ])
    // Whoever would rather not choose, beside somebody who would.
    if (buyer % 6 === 4)
      add(
        at + 10 * DAY,
        [
          { does: 'leave', buyer, on: 0 },
          { does: 'give', buyer, points: [1, 1], on: 1 },
          { does: 'leave', buyer, on: 1 },
        ],
        1,
      )
    if (chance() < 0.05) add(at + (200 + chance() * 150) * DAY, [{ does: 'erase', buyer }])
  }

  for (let person = 0; person < buyers / 2; person++) {
    const at = 5 * DAY + Math.floor(person / 3) * 20 * DAY
    add(at, [
      { does: 'claim', person, on: 0 },
      { does: 'claim', person: chance() < 0.5 ? person : person + 1, on: 1 },
      ...maybe(0.1, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 40) }),
    ])
  }
  planOwnMoney(seed, buyers, add)
  planInvoices(seed, buyers, add)
  planRefunds(seed, boughtAt, (at, acts, heat, weather) =>
    scenes.push({
      name: `${scenes.length}`,
      at: Math.round(at),
      acts,
      heat,
      weather: { ...weatherAt(at), ...weather },
    }),
  )
  // A server that runs looks at its books each day, and so before it sells.
  const isSale = ({ acts }: Scene) =>
    acts.some(
      ({ does }) =>
        does === 'buy' || does === 'claim' || does === 'add-own' || does === 'order' || does === 'buy-many',
    )
  for (const { at } of scenes.filter(isSale))
    add(
      at - 60_000,
      [
        { does: 'work', on: 0 },
        { does: 'work', on: 1 },
      ],
      0,
    )
  return { begins, scenes: scenes.filter(({ at }) => at >= 0 && at < days * DAY).sort((a, b) => a.at - b.at) }
}

/**
 * Recipients add own money: between two answers of their provider the list may lose an organisation, and money may go
 * back, or be disputed, before anybody here has heard of the payment.
 */
function planOwnMoney(
  seed: number,
  buyers: number,
  add: (at: number, acts: readonly Act[], heat: number) => void,
): void {
  const chance = fakeChance(seed * 40_503 + 133)
  const one = <T>(...of: readonly T[]): T => of[Math.floor(chance() * of.length)]!
  const server = (): ServerNumber => (chance() < 0.5 ? 0 : 1)
  const maybe = (share: number, ...acts: readonly Act[]): readonly Act[] => (chance() < share ? acts : [])
  const kills = (share: number) =>
    maybe(share, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 60) })
  const everybody: readonly Act[] = [{ does: 'events' }, { does: 'work', on: 0 }, { does: 'work', on: 1 }]
  for (let n = 0; n < Math.ceil(buyers / 3); n++) {
    const buyer = FIRST_OWN + n
    const at = (n === 0 ? 1 + chance() * 20 : chance() * 330) * DAY
    const card = chance() < 0.6 ? 'good' : one(...(Object.keys(CARD) as (keyof typeof CARD)[]))
    const parts = [1 + Math.floor(chance() * 7), 1 + Math.floor(chance() * 3)] as const
    const points = (): readonly [number, number] => [Math.floor(chance() * 3), 1 + Math.floor(chance() * 2)]
    const comes = one('soon', 'soon', 'list', 'back', 'late')
    add(
      at,
      [{ does: 'add-own', buyer, purchase: one(0, 1), parts, card, on: server() }, ...kills(0.08)],
      chance(),
    )
    if (comes === 'list') {
      add(at + 1_000, [{ does: 'list', isWhole: false }], 0)
      add(
        at + 2_000,
        [
          { does: 'work', on: 0 },
          { does: 'work', on: 1 },
        ],
        0,
      )
      add(at + (20 + chance() * 20) * DAY, [{ does: 'list', isWhole: true }], 0)
    }
    if (comes === 'back') add(at + 1_000, [{ does: 'refund', buyer, part: one('all', 'a little') }], 0)
    const heard = at + (comes === 'late' ? 2 * HOUR : 3_000 + chance() * 20_000)
    add(
      heard,
      [
        ...maybe(0.6, { does: 'return', buyer, on: server() }),
        ...maybe(0.4, { does: 'return', buyer, on: server() }),
        ...maybe(0.8, { does: 'events' }),
        ...maybe(0.5, { does: 'work', on: 0 }),
        ...maybe(0.5, { does: 'work', on: 1 }),
        ...kills(0.2),
      ],
      1,
    )
    add(heard + 15 * 60_000, [...everybody, ...kills(0.1)], chance())
    if (card === 'disputed' || card === 'notReceived') {
      add(at + 3 * HOUR, everybody, 0)
      add(
        at + (1 + chance() * 20) * DAY,
        [{ does: 'decide', buyer, isWon: chance() < 0.5 }, { does: 'events' }],
        0,
      )
    }
    if (chance() < 0.2)
      add(
        at + chance() * 12 * DAY,
        [
          { does: 'withdraw', buyer, on: server() },
          ...maybe(0.4, { does: 'withdraw', buyer, on: server() }),
          ...maybe(0.3, { does: 'events' }),
          ...kills(0.2),
        ],
        1,
      )
    if (chance() < 0.1) add(at + chance() * 60 * DAY, [{ does: 'refund', buyer, part: 'all' }], 0)
    // Whatever could not go as it was divided is divided anew, or drawn for after its year.
    if (chance() < 0.7)
      add(
        at + (1 + chance() * 60) * DAY,
        [
          { does: 'give', buyer, points: points(), on: 0 },
          { does: 'give', buyer, points: points(), on: 1 },
        ],
        1,
      )
    if (chance() < 0.05) add(at + (200 + chance() * 100) * DAY, [{ does: 'erase', buyer }], 0)
  }
}

/**
 * Schools order many cards by invoice: they pay in time, late, in two parts, too late or never, withdraw before and after
 * it, and their recipients give meanwhile. Whoever is at the desk says what the bank did, twice at once where two are.
 */
function planInvoices(
  seed: number,
  buyers: number,
  add: (at: number, acts: readonly Act[], heat: number) => void,
): void {
  const chance = fakeChance(seed * 69_069 + 135)
  const one = <T>(...of: readonly T[]): T => of[Math.floor(chance() * of.length)]!
  const server = (): ServerNumber => (chance() < 0.5 ? 0 : 1)
  const maybe = (share: number, ...acts: readonly Act[]): readonly Act[] => (chance() < share ? acts : [])
  const kills = (share: number) =>
    maybe(share, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 80) })
  for (let n = 0; n < Math.ceil(buyers / 3); n++) {
    const buyer = FIRST_INVOICED + n
    const at = (n < 2 ? 1 + chance() * 5 : chance() * 330) * DAY
    const cards = 2 + Math.floor(chance() * 3)
    const order: Act = { does: 'order', buyer, purchase: one(0, 1), cards, on: 0 }
    // Each part of a year in which planted bugs are looked for has one of both.
    const pays =
      (['in two parts', 'too late'] as const)[n] ?? one('in time', 'in two parts', 'too late', 'never')
    const places = (): 'all' | readonly number[] =>
      one<'all' | readonly number[]>('all', [0], [1], [0, cards - 1])
    const withdraw = (): Act => ({ does: 'withdraw-some', buyer, places: places(), on: server() })
    const give = (): Act => ({
      does: 'give-one',
      buyer,
      place: Math.floor(chance() * cards),
      points: [Math.floor(chance() * 3), 1],
      on: server(),
    })
    const says = (does: 'say-paid' | 'cancel' | 'say-back'): Act => ({
      does,
      buyer,
      at: one<ServerNumber | 'terminal'>(0, 1, 'terminal'),
    })
    add(at, [order, ...maybe(0.4, { ...order, on: 1 }), ...kills(0.15)], chance())
    add(at + 30_000, [order, { does: 'work', on: server() }], 0)
    if (chance() < 0.2) add(at + chance() * 5 * DAY, [withdraw(), ...kills(0.2)], 1)
    if (chance() < 0.1) add(at + chance() * 40 * DAY, [says('cancel'), ...kills(0.2)], 1)
    if (chance() < 0.05) add(at + chance() * 80 * DAY, [{ does: 'erase', buyer }], 0)
    if (pays === 'never') continue
    const paid = at + (pays === 'too late' ? 31 + chance() * 40 : 1 + chance() * 25) * DAY
    if (pays === 'in two parts') {
      add(paid - HOUR, [{ does: 'transfer', buyer, part: 'half' }], 0)
      add(paid - HOUR / 2, [says('say-paid'), ...maybe(0.5, says('say-paid'))], 1)
    }
    add(paid, [{ does: 'transfer', buyer, part: 'all' }], 0)
    add(
      paid + 2 * HOUR,
      [
        says('say-paid'),
        ...maybe(0.5, says('say-paid')),
        ...maybe(0.15, says('cancel')),
        ...maybe(0.3, withdraw()),
        ...maybe(0.3, { does: 'work', on: server() }),
        ...kills(0.35),
      ],
      1,
    )
    add(paid + 3 * HOUR, [says('say-paid'), { does: 'work', on: server() }], chance())
    // Whoever goes through the bank's statement each day has it by then, whatever clocks and servers did.
    add(paid + 2 * DAY, [{ does: 'say-paid', buyer, at: 'terminal' }], 0)
    for (let card = 0; card < cards; card++)
      if (chance() < 0.5)
        add(paid + (1 + chance() * 30) * DAY, [give(), ...maybe(0.4, give()), ...maybe(0.2, withdraw())], 1)
    if (chance() < 0.2) {
      const refund = (): Act => ({
        does: 'refund-one',
        buyer,
        place: Math.floor(chance() * cards),
        on: server(),
      })
      add(
        paid + (0.2 + chance() * 30) * DAY,
        [refund(), ...maybe(0.4, refund()), ...maybe(0.4, give()), ...maybe(0.3, withdraw()), ...kills(0.3)],
        1,
      )
    }
    for (let times = chance() < 0.5 ? 1 + Math.floor(chance() * 2) : 0; times > 0; times--) {
      const when = paid + (0.2 + chance() * 13) * DAY
      add(when, [withdraw(), ...maybe(0.4, withdraw()), ...maybe(0.5, give()), ...kills(0.3)], 1)
      add(
        when + chance() * 4 * DAY,
        [says('say-back'), says('say-back'), { does: 'work', on: server() }, ...kills(0.3)],
        1,
      )
      if (chance() < 0.5) add(when + 5 * DAY, [says('say-back'), ...maybe(0.5, says('say-back'))], 1)
    }
  }
}

/**
 * The operator gives money back at the desk, of a card that was bought alone and of some of many: the same press comes several times,
 * beside another, a recipient, the buyer who withdraws and a second operator at the provider's own site, while answers are
 * lost or late, and servers die.
 * @param boughtAt when each bought one card, ms after the beginning
 */
function planRefunds(
  seed: number,
  boughtAt: readonly number[],
  add: (at: number, acts: readonly Act[], heat: number, weather: Partial<Weather>) => void,
): void {
  const chance = fakeChance(seed * 94_906_267 + 155)
  const one = <T>(...of: readonly T[]): T => of[Math.floor(chance() * of.length)]!
  const server = (): ServerNumber => (chance() < 0.5 ? 0 : 1)
  const maybe = (share: number, ...acts: readonly Act[]): readonly Act[] => (chance() < share ? acts : [])
  const kills = (share: number) =>
    maybe(share, { does: 'kill', on: server(), after: 1 + Math.floor(chance() * 60) })
  const weather = (): Partial<Weather> =>
    one<Partial<Weather>>(
      {},
      { answerLost: 0.4, eventLost: 1 },
      { answerLost: 0.25, providerSlow: 0.3 },
      { providerAway: 0.3, providerSlow: 0.3 },
      { providerSlow: 0.7, answerLost: 0.1 },
      { commitLost: 0.1, providerSlow: 0.3 },
    )
  const points = (): readonly [number, number] => [Math.floor(chance() * 3), 1]
  /** Nobody presses at the same instant; while the provider is slow there is time for more than one. */
  const soon = (acts: readonly Act[]): readonly Act[] =>
    acts.map(act => (chance() < 0.6 ? { ...act, later: Math.floor(chance() * 10_000) } : act))
  let presses = 0
  /** @param others what else may happen to its cards at that moment */
  const refunds = (from: number, buyer: number, cards: number, others: (place: number) => readonly Act[]) => {
    const places = () => Math.floor(chance() * cards)
    const place = places()
    /** A press of the button, which may come again from either server. */
    const pressOf = (at: number) => {
      const asked = {
        buyer,
        place: at,
        press: ++presses,
        part: one('all', 'all', 'half', 'half', 'a little'),
      } as const
      return (): Act => ({ does: 'refund-at-desk', ...asked, on: server() })
    }
    const [first, second, third] = [pressOf(place), pressOf(one(place, places())), pressOf(place)]
    add(
      from,
      [
        first(),
        ...soon([
          ...maybe(0.5, first()),
          ...maybe(0.3, first()),
          ...maybe(0.5, second()),
          ...others(place),
          ...others(place),
          ...maybe(0.4, { does: 'events' }),
        ]),
        ...kills(0.3),
      ],
      1,
      weather(),
    )
    add(
      from + 15_000 + chance() * 120_000,
      [
        ...maybe(0.6, first()),
        ...soon([
          ...maybe(0.3, second()),
          ...maybe(0.3, {
            does: 'release-at-desk',
            buyer,
            place: one<number | 'all'>('all', place),
            on: server(),
          }),
          ...others(place),
        ]),
        ...maybe(0.3, { does: 'work', on: server() }),
        ...kills(0.2),
      ],
      1,
      weather(),
    )
    add(
      from + 11 * 60_000 + chance() * 2 * HOUR,
      [
        { does: 'release-at-desk', buyer, place: one<number | 'all'>('all', place), on: server() },
        ...soon([...maybe(0.4, first()), ...maybe(0.3, third()), ...others(place)]),
        ...maybe(0.3, { does: 'work', on: server() }),
      ],
      1,
      weather(),
    )
  }
  for (const [buyer, at] of boughtAt.entries())
    if (chance() < 0.35)
      refunds(at + (0.1 + chance() * 20) * DAY, buyer, 1, () => [
        ...maybe(0.4, { does: 'give', buyer, points: points(), on: server() }),
        ...maybe(0.15, { does: 'withdraw', buyer, on: server() }),
        ...maybe(0.2, { does: 'refund', buyer, part: one('all', 'a little', 'a little') }),
      ])
  for (let n = 0; n < Math.ceil(boughtAt.length / 3); n++) {
    const buyer = FIRST_BOUGHT + n
    const at = (n < 2 ? 1 + chance() * 5 : chance() * 330) * DAY
    const cards = 2 + Math.floor(chance() * 2)
    const card = one<keyof typeof CARD>('good', 'good', 'good', 'slowRefund', 'failingRefund')
    const buy: Act = { does: 'buy-many', buyer, purchase: one(0, 1), cards, card, on: server() }
    add(at, [buy, ...kills(0.1)], chance(), {})
    // Whoever was not led on to the payment presses again.
    add(at + 60_000, [buy], 0, {})
    add(at + 15 * 60_000, [{ does: 'events' }, { does: 'work', on: 0 }, { does: 'work', on: 1 }], 0, {})
    for (let times = one(1, 2, 3); times > 0; times--)
      refunds(at + (0.1 + chance() * 13) * DAY, buyer, cards, place => [
        ...maybe(0.4, {
          ...{ does: 'give-one', buyer, points: points(), on: server() },
          place: one(place, Math.floor(chance() * cards)),
        }),
        ...maybe(0.12, {
          ...{ does: 'withdraw-some', buyer, on: server() },
          places: one<'all' | readonly number[]>('all', [0], [1]),
        }),
      ])
  }
}

/** Times in which something outside is broken. */
function stormsOf(chance: () => number) {
  const some = (weather: Partial<Weather>, longest: number, count: number) =>
    Array.from({ length: count }, () => {
      const from = chance() * DAYS * DAY
      return { from, to: from + chance() * longest, weather }
    })
  return [
    // Something small is always broken.
    {
      from: 0,
      to: DAYS * DAY,
      weather: {
        answerLost: 0.004,
        eventLost: 0.15,
        eventDoubled: 0.05,
        mailAnswerLost: 0.004,
        commitLost: 0.0003,
      },
    },
    ...some({ providerAway: 0.5, answerLost: 0.1 }, 2 * DAY, 6),
    ...some({ providerAway: 1 }, 3 * DAY, 2),
    ...some({ providerSlow: 0.5 }, 4 * DAY, 4),
    ...some({ eventLost: 1 }, 3 * DAY, 4),
    ...some({ eventDoubled: 1 }, 20 * DAY, 3),
    ...some({ mailRefused: 1 }, 2 * DAY, 4),
    ...some({ mailRefused: 0.3, mailAnswerLost: 0.2 }, 5 * DAY, 4),
    ...some({ contentAway: 1 }, 3 * DAY, 3),
    ...some({ commitLost: 0.02 }, DAY, 5),
  ]
}
