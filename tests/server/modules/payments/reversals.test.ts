import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import type { Database } from '#server/platform/db/database.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { CARD, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

/** Of each story, on each engine. */
const SHUFFLES = count({ usual: 1, long: 100 })
const RACES = count({ usual: 12, long: 200 })

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

/** What happens at the provider after a payment. */
type Step = 'refund' | 'refund a part' | 'refund arrives or fails' | 'dispute' | 'win' | 'lose'

interface Story {
  readonly name: string
  readonly card: string
  readonly steps: readonly Step[]
  /** What becomes of a card that nobody has used; a used one stays used. */
  readonly end: CardStatus
  /** The operator hears of it when the card was used, or only a part went back. */
  readonly loss: 'never' | 'when used' | 'always'
}

const STORIES: readonly Story[] = [
  { name: 'a refund', card: CARD.good, steps: ['refund'], end: 'revoked', loss: 'when used' },
  { name: 'a refund of a part', card: CARD.good, steps: ['refund a part'], end: 'active', loss: 'always' },
  {
    name: 'a refund that takes its time',
    card: CARD.slowRefund,
    steps: ['refund', 'refund arrives or fails'],
    end: 'revoked',
    loss: 'when used',
  },
  {
    name: 'a refund that fails',
    card: CARD.failingRefund,
    steps: ['refund', 'refund arrives or fails'],
    end: 'active',
    loss: 'never',
  },
  { name: 'a dispute', card: CARD.disputed, steps: ['dispute'], end: 'frozen', loss: 'never' },
  {
    name: 'a dispute that is won',
    card: CARD.notReceived,
    steps: ['dispute', 'win'],
    end: 'active',
    loss: 'never',
  },
  {
    name: 'a dispute that is lost',
    card: CARD.disputed,
    steps: ['dispute', 'lose'],
    end: 'revoked',
    loss: 'when used',
  },
  {
    // The bank takes the whole beside the part that went back: more than was paid.
    name: 'a refund of a part and a dispute that is lost',
    card: CARD.notReceived,
    steps: ['refund a part', 'dispute', 'lose'],
    end: 'revoked',
    loss: 'always',
  },
]

async function perform(step: Step): Promise<void> {
  switch (step) {
    case 'refund':
      return fixture.refund()
    case 'refund a part':
      return fixture.refund(700)
    case 'refund arrives or fails':
      fixture.clock.advance(DELAYS.refundResultMs)
      return fixture.double.runDue()
    case 'dispute':
      fixture.clock.advance(DELAYS.disputeMs)
      return fixture.double.runDue()
    case 'win':
      return fixture.decideDispute('won')
    case 'lose':
      return fixture.decideDispute('lost')
  }
}

const statusOf = async (table: 'cards' | 'volunteering_cards') =>
  (
    await fixture.test.db.read(db =>
      db
        .selectFrom(table)
        .select('status')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .execute(),
    )
  )[0]?.status

describe.each(STORIES)('the events of $name', ({ card, steps, end, loss }) => {
  it.each([
    ['an unused card', false],
    ['a used card', true],
  ])('lead to the same end for %s, in any order, repeated, on two servers at once', async (_, used) => {
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    for (let seed = 1; seed <= SHUFFLES; seed++) {
      fixture.alarms.length = 0
      fixture.clock.advance(1_000)
      const chance = fakeChance(seed)
      const { sessionId } = await fixture.buy({}, card)
      if (used) {
        const { privateKey } = await fixture.payments.settle(sessionId)
        await fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
      }
      for (const step of steps) await perform(step)
      const events = await fixture.collectEvents()
      const queue = [...events, ...events.filter(() => chance() < 0.5)]
        .map(event => ({ event, place: chance() }))
        .sort((a, b) => a.place - b.place)
        .map(({ event: { body, signature } }) =>
          (chance() < 0.5 ? fixture.payments : other).receiveEvent.bind(null, body, signature),
        )
      while (queue.length > 0) {
        const together = queue.splice(0, 1 + Math.floor(chance() * 3))
        await Promise.all(together.map(receive => receive()))
      }
      expect(await statusOf('cards'), `seed ${seed}`).toBe(used ? 'consumed' : end)
      expect(await fixture.findings(), `seed ${seed}`).toEqual([])
      const told = loss === 'always' || (loss === 'when used' && used)
      expect(new Set(fixture.alarms), `seed ${seed}`).toEqual(
        new Set(told ? ['payment-reversed-at-a-loss'] : []),
      )

      const before = await fixture.test.dump()
      for (const { body, signature } of events) await fixture.payments.receiveEvent(body, signature)
      expect(await fixture.test.dump(), `seed ${seed}`).toBe(before)
    }
  })
})

/**
 * Looks at a charge so slowly that something else happens between the provider's answers and their writing.
 * @returns every state that was seen once it had happened
 */
async function statesInLateLook<State>(
  charge: string,
  state: () => Promise<State>,
  happens: () => Promise<unknown>,
): Promise<readonly State[]> {
  const seen = new Set<State>()
  let answers = 0
  let isLate = false
  fixture.between(async (request, next) => {
    const answer = await next(request)
    if (isLate) seen.add(await state())
    // The charge, its refunds and its disputes: the third answer is the last of the first look.
    if (++answers !== 3) return answer
    await happens()
    isLate = true
    return answer
  })
  await applyReversals(fixture.deps, charge)
  return [...seen]
}

it.each([
  { what: 'given back', card: CARD.good, step: 'refund', end: 'revoked' },
  { what: 'disputed', card: CARD.disputed, step: 'dispute', end: 'frozen' },
] as const)(
  'a look from before a payment was $what, which is written late, frees its card for no moment',
  async ({ card, step, end }) => {
    await fixture.buy({}, card)
    await fixture.deliver()
    const { data } = await fixture.stripe.charges.list()
    const seen = await statesInLateLook(
      data[0]!.id,
      () => statusOf('cards'),
      async () => {
        await perform(step)
        await fixture.deliver()
        expect(await statusOf('cards')).toBe(end)
      },
    )
    expect(seen).toEqual([end])
    expect(await statusOf('cards')).toBe(end)
    expect(await fixture.findings()).toEqual([])
  },
)

it('a look from between a refund that failed and the next one, which is written late, frees its card for no moment', async () => {
  await fixture.buy({}, CARD.failingRefund)
  await fixture.refund()
  await fixture.deliver()
  expect(await statusOf('cards')).toBe('revoked')
  fixture.clock.advance(DELAYS.refundResultMs)
  await fixture.double.runDue()
  const { data } = await fixture.stripe.charges.list()
  const seen = await statesInLateLook(
    data[0]!.id,
    () => statusOf('cards'),
    async () => {
      await fixture.refund()
      await fixture.deliver()
      expect(await statusOf('cards')).toBe('revoked')
    },
  )
  expect(seen).toEqual(['revoked'])
  expect(await fixture.findings()).toEqual([])
})

/** An order of three cards, whose dispute is renamed to be about some of them. */
async function threeDisputed() {
  await fixture.buy({ cards: 3 }, CARD.disputed)
  await perform('dispute')
  await fixture.deliver()
  const { data } = await fixture.stripe.charges.list()
  const charge = data[0]!.id
  const [dispute] = (await fixture.stripe.disputes.list({ charge })).data
  return {
    charge,
    rename: (cards: string) => fixture.stripe.disputes.update(dispute!.id, { metadata: { cards } }),
    async statuses() {
      const rows = await fixture.test.db.read(db =>
        db.selectFrom('cards').select('status').orderBy('position').execute(),
      )
      return rows.map(({ status }) => status).join(' ')
    },
  }
}

it('a look from before a dispute was said to be about another card, which is written late, frees that for no moment', async () => {
  const { charge, rename, statuses } = await threeDisputed()
  const name = async (cards: string) => {
    await rename(cards)
    await fixture.deliver()
    await applyReversals(fixture.deps, charge)
  }
  await name('2')
  expect(await statuses()).toBe('active frozen active')
  const seen = await statesInLateLook(charge, statuses, async () => {
    await name('3')
    expect(await statuses()).toBe('active active frozen')
  })
  expect(seen).toEqual(['active active frozen'])
  expect(await fixture.findings()).toEqual([])
})

it('a look from between two renamings of a dispute’s cards, of which the second says the first again, is not written late', async () => {
  const { charge, rename, statuses } = await threeDisputed()
  await rename('2')
  await applyReversals(fixture.deps, charge)
  // Nobody has heard of it when the slow look begins.
  await rename('3')
  const seen = await statesInLateLook(charge, statuses, async () => {
    await applyReversals(fixture.deps, charge)
    expect(await statuses()).toBe('active active frozen')
    await rename('2')
    await applyReversals(fixture.deps, charge)
  })
  expect(seen).toEqual(['active frozen active'])
  expect(await fixture.findings()).toEqual([])
})

it('follows a charge to the order that the provider names, whichever its row does', async () => {
  await fixture.buy()
  await fixture.deliver()
  const other = await fixture.test.db.read(db =>
    db.selectFrom('orders').select('id').executeTakeFirstOrThrow(),
  )
  await fixture.test.db.transaction(trx => trx.deleteFrom('charges').execute())
  await fixture.buy()
  await fixture.deliver()
  await fixture.test.db.transaction(trx => trx.updateTable('charges').set({ order_id: other.id }).execute())
  await fixture.refund(1_000)
  await fixture.deliver()
  await fixture.refund(5_500)
  await fixture.deliver()
  const cards = await fixture.test.db.read(db =>
    db.selectFrom('cards').select(['order_id', 'status']).execute(),
  )
  expect(cards.map(({ order_id: id, status }) => [id === other.id, status]).sort()).toEqual([
    [false, 'revoked'],
    [true, 'active'],
  ])
})

it('sees every refund of a charge, however many there are', async () => {
  const { sessionId } = await fixture.buy()
  const { privateKey } = await fixture.payments.settle(sessionId)
  for (let n = 0; n < 120; n++) await fixture.refund(54)
  await fixture.refund(6_500 - 120 * 54)
  // The last of them says it all.
  await fixture.payments.receiveEvent(...said((await fixture.collectEvents()).at(-1)!))
  expect(await statusOf('cards')).toBe('revoked')
  const attempt = fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
  await expect(attempt).rejects.toMatchObject({ code: 'card-not-found' })
  expect(await balances()).toEqual({ payments: -6_500, refunds: 6_500 })
  expect(await fixture.findings()).toEqual([])
}, 120_000)

describe('a tax whose share changed between two steps', () => {
  // The order was quoted when a tenth of the support was tax.
  const quotedOtherwise = () => fixture.test.plant('update orders set tax_amount = 150')

  it('is booked as the order was quoted', async () => {
    const { sessionId } = await fixture.buy()
    await quotedOtherwise()
    await fixture.payments.settle(sessionId)
    expect(await balances()).toEqual({ payments: -6_500, cards: 5_000, support: 1_350, tax: 150 })
    expect(await fixture.findings()).toEqual([])
  })

  it.each([
    ['unused', { payments: -6_500, refunds: 6_500 }],
    ['used', { payments: -6_500, refunds: 6_500, 'ngo:cerf': 5_000, losses: -5_000 }],
  ])(
    'leaves nothing on support and tax when everything goes back of a card that is %s',
    async (use, books) => {
      const { sessionId } = await fixture.buy()
      await quotedOtherwise()
      const { privateKey } = await fixture.payments.settle(sessionId)
      if (use === 'used') await fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
      await fixture.refund()
      await fixture.deliver()
      expect(await balances()).toEqual(books)
      expect(await fixture.findings()).toEqual([])
    },
  )

  it('goes back in the share of a lost part', async () => {
    const { sessionId } = await fixture.buy()
    await quotedOtherwise()
    await fixture.payments.settle(sessionId)
    await fixture.disputePart(1_300)
    await fixture.decideDispute('lost')
    await fixture.deliver()
    const books = { payments: -6_500, refunds: 1_300, cards: 4_000, support: 1_080, tax: 120 }
    expect(await balances()).toEqual(books)
    expect(await fixture.findings()).toEqual([])
  })
})

describe('a card whose payment is disputed in part', () => {
  it(`gives what it holds and no more, used while the dispute is lost, on two servers, ${RACES} races`, async () => {
    const db = await fixture.test.another()
    const other = createPayments({ ...fixture.deps, db })
    const otherCards = createCards({
      db,
      keys: fixture.deps.keys,
      clock: fixture.clock,
      listedNgoIds: () => NGOS,
    })
    const given = new Set<number>()
    for (let seed = 1; seed <= RACES; seed++) {
      fixture.clock.advance(1_000)
      fixture.alarms.length = 0
      const chance = fakeChance(seed)
      const { sessionId } = await fixture.buy()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.deliver()
      await fixture.disputePart(1_300)
      await fixture.decideDispute('lost')
      const events = await fixture.collectEvents()
      const cards = () => (chance() < 0.5 ? fixture.cards : otherCards)
      const server = () => (chance() < 0.5 ? fixture.payments : other)
      const acts = [
        ...[50, 40].map(points => () => cards().redeem(privateKey, [{ ngoId: 'cerf', points }])),
        ...events.map(event => () => server().receiveEvent(...said(event))),
      ]
        .map(act => ({ act, place: chance() }))
        .sort((a, b) => a.place - b.place)
      while (acts.length > 0) {
        const together = acts.splice(0, 1 + Math.floor(chance() * 4))
        await Promise.allSettled(together.map(({ act }) => act()))
      }
      const books = await balances(sessionId)
      const gift = books['ngo:cerf'] ?? 0
      given.add(gift)
      expect(await statusOf('cards'), `seed ${seed}`).toBe(gift === 0 ? 'active' : 'consumed')
      const expected = {
        payments: -6_500,
        refunds: 1_300,
        ...(gift === 0 ? { cards: 4_000 } : { 'ngo:cerf': gift }),
        support: 948,
        tax: 252,
        ...(gift === 5_000 && { losses: -1_000 }),
      }
      expect(books, `seed ${seed}`).toEqual(expected)
      expect(fixture.alarms.includes('payment-reversed-at-a-loss'), `seed ${seed}`).toBe(gift === 5_000)
    }
    expect(await fixture.findings()).toEqual([])
    expect([0, 4_000, 5_000]).toEqual(expect.arrayContaining([...given]))
    expect(given.size).toBeGreaterThan(1)
  }, 600_000)

  it('is not given with the credit that it had before, read in the moment before the dispute was lost', async () => {
    const { sessionId } = await fixture.buy()
    const { privateKey } = await fixture.payments.settle(sessionId)
    await fixture.disputePart(1_300)
    await fixture.decideDispute('lost')
    const events = await fixture.collectEvents()
    let isLost = false
    const db: Database = {
      ...fixture.test.db,
      async transaction(fn) {
        if (!isLost) {
          isLost = true
          for (const event of events) await fixture.payments.receiveEvent(...said(event))
        }
        return fixture.test.db.transaction(fn)
      },
    }
    const cards = createCards({ db, keys: fixture.deps.keys, clock: fixture.clock, listedNgoIds: () => NGOS })
    const attempt = cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
    await expect(attempt).rejects.toMatchObject({ code: 'invalid-fields' })
    isLost = false
    expect(await cards.redeem(privateKey, [{ ngoId: 'cerf', points: 1 }])).toMatchObject({
      allocations: [{ amount: { amount: 4_000 } }],
    })
    expect(await fixture.findings()).toEqual([])
  })
})

const said = ({ body, signature }: { body: string; signature: string }) => [body, signature] as const

/** Of everything, or of the card of one session; accounts at 0 left out. */
const balances = async (sessionId?: string) => {
  const session = sessionId && (await fixture.stripe.checkout.sessions.retrieve(sessionId))
  const orderId = session ? session.metadata?.order_id : undefined
  const entries = await fixture.test.db.read(db =>
    db
      .selectFrom('ledger_entries')
      .leftJoin('cards', 'cards.id', 'ledger_entries.card_id')
      .select(['account', 'amount', 'cards.order_id'])
      .execute(),
  )
  const sums: Record<string, number> = {}
  for (const { account, amount, order_id } of entries)
    if (orderId === undefined || order_id === orderId) sums[account] = (sums[account] ?? 0) + amount
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
}
