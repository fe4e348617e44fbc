import { describe, expect, it } from 'vitest'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../support/payments-fixture.ts'

/**
 * Journeys of the money, one row each: what happens, how the card ends and what the books say. The sale is always
 * 50 € for the organisations and 15 € of support, 3.15 € of it tax.
 */
interface Story {
  readonly name: string
  /** The buyer's card at the provider. */
  readonly card?: string
  readonly steps: readonly Step[]
  /** null: there is none. */
  readonly status: string | null
  /** Balances in minor units; an account not named is at 0. */
  readonly books: Readonly<Record<string, number>>
  readonly alarms?: readonly string[]
}

type Step =
  | 'visit success'
  | 'redeem'
  | 'redeem refused'
  | 'redeem 50 refused'
  | 'redeem 40'
  | 'refund all'
  | 'refund 7 €'
  | 'refund the rest'
  | 'refund 52 €'
  | 'dispute the rest'
  | 'dispute'
  | 'dispute 13 €'
  | 'win'
  | 'lose'
  | 'wait'
  | 'expire'

const SOLD = { payments: -6_500, cards: 5_000, support: 1_185, tax: 315 }
const GIVEN = { payments: -6_500, 'ngo:cerf': 3_000, 'ngo:msf': 2_000, support: 1_185, tax: 315 }
const LOSS = ['payment-reversed-at-a-loss']
const REDUCED = ['card-reduced-by-dispute']

const STORIES: readonly Story[] = [
  { name: 'nobody pays', card: CARD.declined, steps: ['expire'], status: null, books: {} },
  { name: 'sold', steps: ['visit success'], status: 'active', books: SOLD },
  { name: 'sold, the buyer never comes back', steps: [], status: 'active', books: SOLD },
  { name: 'given', steps: ['visit success', 'redeem'], status: 'consumed', books: GIVEN },
  {
    name: 'a slow debit arrives',
    card: CARD.slowDebit,
    steps: ['wait', 'redeem'],
    status: 'consumed',
    books: GIVEN,
  },
  {
    name: 'a slow debit fails',
    card: CARD.failingDebit,
    steps: ['wait', 'redeem refused'],
    status: null,
    books: {},
  },
  {
    name: 'refunded',
    steps: ['visit success', 'refund all', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
  },
  {
    name: 'refunded slowly',
    card: CARD.slowRefund,
    steps: ['refund all', 'redeem refused', 'wait', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
  },
  {
    name: 'refunded in two parts',
    steps: ['refund 7 €', 'refund the rest', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
    alarms: LOSS,
  },
  {
    name: 'the refund fails',
    card: CARD.failingRefund,
    steps: ['refund all', 'redeem refused', 'wait', 'redeem'],
    status: 'consumed',
    books: GIVEN,
  },
  {
    name: 'partly refunded, then given',
    steps: ['refund 7 €', 'redeem'],
    status: 'consumed',
    books: { ...GIVEN, refunds: 700, losses: -700 },
    alarms: LOSS,
  },
  {
    name: 'given, then refunded',
    steps: ['redeem', 'refund all'],
    status: 'consumed',
    books: { payments: -6_500, 'ngo:cerf': 3_000, 'ngo:msf': 2_000, refunds: 6_500, losses: -5_000 },
    alarms: LOSS,
  },
  {
    name: 'given, then refunded, and the refund fails',
    card: CARD.failingRefund,
    steps: ['redeem', 'refund all', 'wait'],
    status: 'consumed',
    books: GIVEN,
    alarms: LOSS,
  },
  {
    name: 'disputed',
    card: CARD.disputed,
    steps: ['visit success', 'dispute', 'redeem refused'],
    status: 'frozen',
    books: SOLD,
  },
  {
    name: 'disputed and won',
    card: CARD.disputed,
    steps: ['dispute', 'redeem refused', 'win', 'redeem'],
    status: 'consumed',
    books: GIVEN,
  },
  {
    name: 'disputed and lost',
    card: CARD.disputed,
    steps: ['dispute', 'lose', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
  },
  {
    name: 'given, then disputed and lost',
    card: CARD.disputed,
    steps: ['redeem', 'dispute', 'lose'],
    status: 'consumed',
    books: { payments: -6_500, 'ngo:cerf': 3_000, 'ngo:msf': 2_000, refunds: 6_500, losses: -5_000 },
    alarms: LOSS,
  },
  {
    name: 'disputed in part',
    steps: ['dispute 13 €', 'redeem refused'],
    status: 'frozen',
    books: SOLD,
  },
  {
    name: 'disputed in part and won',
    steps: ['dispute 13 €', 'redeem refused', 'win', 'redeem'],
    status: 'consumed',
    books: GIVEN,
  },
  {
    name: 'disputed in part and lost: a part of each is gone, the rest of the credit stays on the card',
    steps: ['dispute 13 €', 'redeem refused', 'lose'],
    status: 'active',
    books: { payments: -6_500, refunds: 1_300, cards: 4_000, support: 948, tax: 252 },
    alarms: REDUCED,
  },
  {
    name: 'disputed in part and lost, then given',
    steps: ['dispute 13 €', 'lose', 'redeem 50 refused', 'redeem 40'],
    status: 'consumed',
    books: {
      payments: -6_500,
      refunds: 1_300,
      'ngo:cerf': 2_400,
      'ngo:msf': 1_600,
      support: 948,
      tax: 252,
    },
    alarms: REDUCED,
  },
  {
    name: 'disputed in two parts, both lost',
    steps: ['dispute 13 €', 'lose', 'dispute 13 €', 'redeem refused', 'lose'],
    status: 'active',
    books: { payments: -6_500, refunds: 2_600, cards: 3_000, support: 711, tax: 189 },
    alarms: [...REDUCED, ...REDUCED],
  },
  {
    name: 'given, then disputed in part and lost',
    steps: ['redeem', 'dispute 13 €', 'lose'],
    status: 'consumed',
    books: { ...GIVEN, refunds: 1_300, support: 948, tax: 252, losses: -1_000 },
    alarms: LOSS,
  },
  {
    name: 'disputed in part and lost, given, then disputed in part again and lost',
    steps: ['dispute 13 €', 'lose', 'redeem 40', 'dispute 13 €', 'lose'],
    status: 'consumed',
    books: {
      payments: -6_500,
      refunds: 2_600,
      'ngo:cerf': 2_400,
      'ngo:msf': 1_600,
      support: 711,
      tax: 189,
      losses: -1_000,
    },
    alarms: [...REDUCED, ...LOSS],
  },
  {
    name: 'disputed in part and lost, then disputed for the rest and lost',
    steps: ['dispute 13 €', 'lose', 'dispute the rest', 'lose', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
    alarms: REDUCED,
  },
  {
    name: 'disputed in part and lost, then refunded for the rest',
    steps: ['dispute 13 €', 'lose', 'refund 52 €', 'redeem refused'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
    alarms: REDUCED,
  },
  {
    name: 'partly refunded, then disputed in part and lost',
    steps: ['refund 7 €', 'dispute 13 €', 'lose', 'redeem 40'],
    status: 'consumed',
    books: {
      payments: -6_500,
      refunds: 2_000,
      'ngo:cerf': 2_400,
      'ngo:msf': 1_600,
      support: 948,
      tax: 252,
      losses: -700,
    },
    alarms: [...LOSS, ...REDUCED],
  },
  {
    name: 'partly refunded, then disputed and lost',
    card: CARD.disputed,
    steps: ['refund 7 €', 'dispute', 'lose'],
    status: 'revoked',
    books: { payments: -6_500, refunds: 6_500 },
    // The part that was refunded, and then what the bank took beside it: more went back than was paid.
    alarms: [...LOSS, ...LOSS],
  },
]

/** How the provider's events reach us; the end must be the same. */
const DELIVERIES = ['as they happen', 'twice each', 'all at the end, last first'] as const

describe.each(DELIVERIES)('with events %s, the card and the books agree:', delivery => {
  const isLate = delivery === 'all at the end, last first'
  it.each(
    // A story that gives the card away between the events needs them on the way.
    STORIES.filter(({ steps }) => !isLate || !steps.some(step => step.startsWith('redeem'))),
  )('$name', async story => {
    const fixture = await openPaymentsFixture()
    try {
      const { sessionId } = await fixture.buy({}, story.card)
      const receive = async () => {
        const events = await fixture.collectEvents()
        const sent = delivery === 'twice each' ? events.flatMap(event => [event, event]) : events
        for (const { body, signature } of isLate ? sent.reverse() : sent)
          await fixture.payments.receiveEvent(body, signature)
      }
      for (const step of story.steps) {
        if (!isLate) await receive()
        await act(fixture, sessionId, step)
      }
      await receive()
      expect(await endOf(fixture)).toEqual({ status: story.status, books: story.books })
      expect(await fixture.findings()).toEqual([])
      if (!isLate) expect(fixture.alarms).toEqual(story.alarms ?? [])
    } finally {
      await fixture.close()
    }
  })
})

async function act(fixture: PaymentsFixture, sessionId: string, step: Step): Promise<void> {
  switch (step) {
    case 'visit success':
      await fixture.payments.settle(sessionId)
      return
    case 'redeem':
      await fixture.cards.redeem(await privateKeyOf(fixture), [
        { ngoId: 'cerf', points: 30 },
        { ngoId: 'msf', points: 20 },
      ])
      return
    case 'redeem 40':
      await fixture.cards.redeem(await privateKeyOf(fixture), [
        { ngoId: 'cerf', points: 24 },
        { ngoId: 'msf', points: 16 },
      ])
      return
    case 'redeem 50 refused': {
      const attempt = fixture.cards.redeem(await privateKeyOf(fixture), [{ ngoId: 'cerf', points: 50 }])
      await expect(attempt).rejects.toMatchObject({ code: 'invalid-fields' })
      return
    }
    case 'redeem refused': {
      const attempt = fixture.cards.redeem(await privateKeyOf(fixture), [{ ngoId: 'cerf', points: 1 }])
      await expect(attempt).rejects.toMatchObject({ code: 'card-not-found' })
      return
    }
    case 'refund all':
    case 'refund the rest':
      return fixture.refund()
    case 'refund 7 €':
      return fixture.refund(700)
    case 'refund 52 €':
      return fixture.refund(5_200)
    case 'dispute 13 €':
      return fixture.disputePart(1_300)
    case 'dispute the rest':
      return fixture.disputePart(5_200)
    case 'win':
      return fixture.decideDispute('won')
    case 'lose':
      return fixture.decideDispute('lost')
    case 'dispute':
    case 'wait':
      fixture.clock.advance(20_000)
      return
    case 'expire':
      fixture.clock.advance(24 * 3_600_000)
      return
  }
}

async function privateKeyOf(fixture: PaymentsFixture): Promise<string> {
  const card = await fixture.test.db.read(db =>
    db.selectFrom('cards').select(['id', 'key_version']).executeTakeFirst(),
  )
  return card ? fixture.deps.keys.privateKey(card.id, card.key_version) : 'a'.repeat(32)
}

async function endOf(fixture: PaymentsFixture) {
  return fixture.test.db.read(async db => {
    const card = await db.selectFrom('cards').select('status').executeTakeFirst()
    const entries = await db.selectFrom('ledger_entries').select(['account', 'amount']).execute()
    const books: Record<string, number> = {}
    for (const { account, amount } of entries) books[account] = (books[account] ?? 0) + amount
    for (const [account, balance] of Object.entries(books)) if (balance === 0) delete books[account]
    return { status: card?.status ?? null, books }
  })
}
