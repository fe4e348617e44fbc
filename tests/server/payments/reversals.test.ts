import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import { DELAYS } from '#local/payments/index.ts'
import { createPayments } from '#server/payments/payments.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { CARD, openShop, type Shop } from './shop.ts'

/** Of each story, on each engine. */
const SHUFFLES = count({ usual: 1, long: 100 })

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})
afterEach(() => shop.close())

/** What happens at the provider after a payment. */
type Act = 'refund' | 'refund a part' | 'refund arrives or fails' | 'dispute' | 'win' | 'lose'

interface Story {
  readonly name: string
  readonly card: string
  readonly acts: readonly Act[]
  /** What becomes of a card that nobody has used; a used one stays used. */
  readonly end: CardStatus
  /** The operator hears of it when the card was used, or only a part went back. */
  readonly loss: 'never' | 'when used' | 'always'
}

const STORIES: readonly Story[] = [
  { name: 'a refund', card: CARD.good, acts: ['refund'], end: 'revoked', loss: 'when used' },
  { name: 'a refund of a part', card: CARD.good, acts: ['refund a part'], end: 'active', loss: 'always' },
  {
    name: 'a refund that takes its time',
    card: CARD.slowRefund,
    acts: ['refund', 'refund arrives or fails'],
    end: 'revoked',
    loss: 'when used',
  },
  {
    name: 'a refund that fails',
    card: CARD.failingRefund,
    acts: ['refund', 'refund arrives or fails'],
    end: 'active',
    loss: 'never',
  },
  { name: 'a dispute', card: CARD.disputed, acts: ['dispute'], end: 'frozen', loss: 'never' },
  {
    name: 'a dispute that is won',
    card: CARD.notReceived,
    acts: ['dispute', 'win'],
    end: 'active',
    loss: 'never',
  },
  {
    name: 'a dispute that is lost',
    card: CARD.disputed,
    acts: ['dispute', 'lose'],
    end: 'revoked',
    loss: 'when used',
  },
  {
    name: 'a refund of a part and a dispute that is lost',
    card: CARD.notReceived,
    acts: ['refund a part', 'dispute', 'lose'],
    end: 'revoked',
    loss: 'when used',
  },
]

async function perform(act: Act): Promise<void> {
  switch (act) {
    case 'refund':
      return shop.refund()
    case 'refund a part':
      return shop.refund(700)
    case 'refund arrives or fails':
      shop.clock.advance(DELAYS.refundResultMs)
      return shop.double.runDue()
    case 'dispute':
      shop.clock.advance(DELAYS.disputeMs)
      return shop.double.runDue()
    case 'win':
      return shop.decideDispute('won')
    case 'lose':
      return shop.decideDispute('lost')
  }
}

const statusOf = async (table: 'cards' | 'volunteering_cards') =>
  (
    await shop.test.db.read(db =>
      db
        .selectFrom(table)
        .select('status')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    )
  )[0]?.status

describe.each(STORIES)('the events of $name', ({ card, acts, end, loss }) => {
  it.each([
    ['an unused card', false],
    ['a used card', true],
  ])('lead to the same end for %s, in any order, repeated, on two servers at once', async (_, used) => {
    const other = createPayments({ ...shop.deps, db: await shop.test.another() })
    for (let seed = 1; seed <= SHUFFLES; seed++) {
      shop.alarms.length = 0
      shop.clock.advance(1_000)
      const chance = fakeChance(seed)
      const { sessionId } = await shop.buy({}, card)
      if (used) {
        const { privateKey } = await shop.payments.settle(sessionId)
        await shop.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
      }
      for (const act of acts) await perform(act)
      const events = await shop.collectEvents()
      const queue = [...events, ...events.filter(() => chance() < 0.5)]
        .map(event => ({ event, place: chance() }))
        .sort((a, b) => a.place - b.place)
        .map(({ event: { body, signature } }) =>
          (chance() < 0.5 ? shop.payments : other).receiveEvent.bind(null, body, signature),
        )
      while (queue.length > 0) {
        const together = queue.splice(0, 1 + Math.floor(chance() * 3))
        await Promise.all(together.map(receive => receive()))
      }
      expect(await statusOf('cards'), `seed ${seed}`).toBe(used ? 'consumed' : end)
      expect(await shop.findings(), `seed ${seed}`).toEqual([])
      const told = loss === 'always' || (loss === 'when used' && used)
      expect(new Set(shop.alarms), `seed ${seed}`).toEqual(
        new Set(told ? ['payment-reversed-at-a-loss'] : []),
      )

      const before = await shop.test.dump()
      for (const { body, signature } of events) await shop.payments.receiveEvent(body, signature)
      expect(await shop.test.dump(), `seed ${seed}`).toBe(before)
    }
  })
})
