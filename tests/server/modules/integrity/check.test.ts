import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CURRENCIES } from '#domain/money/currency.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { FindingRule } from '#server/modules/integrity/findings.ts'
import { giveFreeCard, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const EMPTY = [
  'ledger_nonces',
  'ledger_cosignatures',
  'ledger_forks',
  'ledger_leaf_entries',
  'ledger_heads',
  'ledger_leaves',
  'public_entries',
  'ledger_entries',
  'allocations',
  'redemptions',
  'free_claims',
  'free_campaigns',
  'cards',
  'orders',
]
const empty = () => test.plant(...EMPTY.map(table => `delete from ${table}`))
const rules = async () => [...new Set((await checkLedger(test.db)).map(finding => finding.rule))]

const purchase = fc.record({
  units: fc.integer({ min: 1, max: 400 }),
  support: fc.nat(90_000),
  taxShare: fc.double({ min: 0, max: 1, noNaN: true }),
  currency: fc.constantFrom(...CURRENCIES),
  shares: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }),
})
type Purchase = typeof purchase extends fc.Arbitrary<infer T> ? T : never
/** The first one is used up, the second one is not, the others as chance has it. */
const books = fc.tuple(
  purchase.map(p => ({ ...p, units: p.units + 3, shares: [1, 2] })),
  purchase.map(p => ({ ...p, shares: [] as number[] })),
  fc.array(purchase, { maxLength: 4 }),
)

/** Sells, gives and redeems as the product does. */
async function write(purchases: readonly Purchase[]): Promise<SoldCard[]> {
  const listedNgoIds = () => ['ngo-0', 'ngo-1', 'ngo-2', 'ngo-3']
  const cards = createCards({ db: test.db, keys: testKeys, clock: () => 1, listedNgoIds })
  const sold: SoldCard[] = []
  await test.db.transaction(giveFreeCard)
  for (const { units, support, taxShare, currency, shares } of purchases) {
    const card = await test.db.transaction(trx =>
      sellCard(trx, {
        ngo_amount: units * 100,
        support_amount: support,
        tax_amount: Math.floor(support * taxShare),
        currency,
      }),
    )
    sold.push(card)
    const selection = shares.map((points, n) => ({ ngoId: `ngo-${n}`, points }))
    const points = shares.reduce((sum, share) => sum + share, 0)
    if (points > 0 && points <= units) await cards.redeem(card.privateKey, selection)
  }
  return sold
}

it('finds nothing in books that the product wrote', async () => {
  await fc.assert(
    fc.asyncProperty(books, async ([used, unused, others]) => {
      await empty()
      await write([used, unused, ...others])
      expect(await checkLedger(test.db, { keys: testKeys })).toEqual([])
    }),
    { numRuns: count({ usual: 15, long: 300 }) },
  )
})

describe('a planted fault', () => {
  const entry = (card: SoldCard, account: string, amount: number, cause = 'planted') =>
    `insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
     values ('planted/${account}', 'planted', '${account}', '${card.credit.currency}', ${amount}, '${card.cardId}', null, '${cause}', 1)`
  const inBooks = (card: SoldCard, account: string) =>
    `update ledger_entries set amount = amount + 1 where card_id = '${card.cardId}' and account = '${account}'`
  const ofCard = (card: SoldCard, set: string) => `update cards set ${set} where id = '${card.cardId}'`
  const ofOrder = (card: SoldCard, set: string) => `update orders set ${set} where id = '${card.orderId}'`
  const otherCurrency = (card: SoldCard) => `currency = '${card.credit.currency === 'EUR' ? 'USD' : 'EUR'}'`

  const faults: readonly {
    readonly name: string
    readonly rule: FindingRule
    readonly plant: (used: SoldCard, unused: SoldCard) => readonly string[]
  }[] = [
    { name: 'a changed entry', rule: 'set-unbalanced', plant: used => [inBooks(used, 'cards')] },
    {
      name: 'a lost entry',
      rule: 'set-unbalanced',
      plant: used => [`delete from ledger_entries where card_id = '${used.cardId}' and account = 'payments'`],
    },
    {
      name: 'an entry in another currency',
      rule: 'set-unbalanced',
      plant: used => [
        `update ledger_entries set ${otherCurrency(used)} where card_id = '${used.cardId}' and account = 'ngo:ngo-1'`,
      ],
    },
    {
      name: 'an account that is none',
      rule: 'account-unknown',
      plant: used => [entry(used, 'suport', 5), entry(used, 'support', -5)],
    },
    {
      name: 'a card of an unpaid order',
      rule: 'card-not-paid',
      plant: used => [ofOrder(used, `status = 'open'`)],
    },
    {
      name: 'a card without its order',
      rule: 'card-not-paid',
      plant: used => [`delete from orders where id = '${used.orderId}'`],
    },
    {
      name: 'a card worth more than was paid',
      rule: 'card-not-paid',
      plant: (_, unused) => [ofCard(unused, 'credit = credit + 1')],
    },
    {
      name: 'a free card that no campaign gave',
      rule: 'card-not-paid',
      plant: () => [`delete from ledger_entries where cause = 'free-claim'`],
    },
    {
      name: 'a paid order whose card is gone',
      rule: 'order-without-card',
      plant: (_, unused) => [`delete from cards where id = '${unused.cardId}'`],
    },
    {
      name: 'a sale that is not in the books',
      rule: 'order-books-differ',
      plant: (_, unused) => [`delete from ledger_entries where order_id = '${unused.orderId}'`],
    },
    {
      name: 'a sale whose tax was booked as support',
      rule: 'order-books-differ',
      plant: used => [
        `delete from ledger_entries where order_id = '${used.orderId}' and account in ('tax', 'support')`,
        ofOrder(used, 'support_amount = 100, tax_amount = 21, total_amount = ngo_amount + 100'),
        `insert into ledger_entries select 'planted', set_id, 'support', currency, 100, card_id, order_id, cause, 1
          from ledger_entries where order_id = '${used.orderId}' and account = 'payments'`,
      ],
    },
    {
      name: 'books that owe more for a card than is on it',
      rule: 'card-books-differ',
      plant: used => [entry(used, 'cards', 7), entry(used, 'campaign', -7)],
    },
    {
      name: 'a used card that still counts as owed',
      rule: 'card-books-differ',
      plant: used => [ofCard(used, `status = 'active'`)],
    },
    {
      name: 'a used card without a redemption',
      rule: 'redemption-differs',
      plant: used => [`delete from redemptions where card_id = '${used.cardId}'`],
    },
    {
      name: 'a redemption of a card that is not used',
      rule: 'redemption-differs',
      plant: (_, unused) => [
        `insert into redemptions (card_id, cause, request_digest, created_at) values ('${unused.cardId}', 'recipient', 'x', 1)`,
      ],
    },
    {
      name: 'a card that gave more than its credit',
      rule: 'allocations-differ',
      plant: used => [
        `update allocations set amount = amount + 1 where card_id = '${used.cardId}' and position = 0`,
      ],
    },
    {
      name: 'an allocation that is lost',
      rule: 'allocations-differ',
      plant: used => [`delete from allocations where card_id = '${used.cardId}' and position = 1`],
    },
    {
      name: 'an allocation in another currency',
      rule: 'allocations-differ',
      plant: used => [`update allocations set ${otherCurrency(used)} where card_id = '${used.cardId}'`],
    },
    {
      name: 'an allocation to another organisation than the books say',
      rule: 'organisation-books-differ',
      plant: used => [
        `update allocations set ngo_id = 'ngo-9' where card_id = '${used.cardId}' and position = 0`,
      ],
    },
    {
      name: 'a balanced set that gives money from nowhere',
      rule: 'totals-differ',
      plant: used => [entry(used, 'payments', -9), entry(used, 'support', 9)],
    },
  ]

  beforeEach(empty)

  it.each(faults)('is found: $name', async ({ rule, plant }) => {
    await fc.assert(
      fc.asyncProperty(books, async ([used, unused, others]) => {
        await empty()
        const [first, second] = await write([used, unused, ...others])
        if (first === undefined || second === undefined) throw new Error('Two cards were to be sold.')
        await test.plant(...plant(first, second))
        expect(await rules()).toContain(rule)
      }),
      { numRuns: count({ usual: 3, long: 30 }) },
    )
  })
})
