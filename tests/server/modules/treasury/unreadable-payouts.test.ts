import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { keepPayoutParts } from '#server/modules/treasury/payout-parts.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { mailsOf, oneEach } from '#tests/support/told-once.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

async function plantMovements(kind: 'charge' | 'payout', ids: readonly string[], net: number): Promise<void> {
  const at = fixture.clock()
  const rows = ids.map(id => ({
    id,
    kind,
    type: kind,
    currency: 'EUR' as const,
    amount: net,
    fee: 0,
    net,
    charged_currency: 'EUR' as const,
    charged_amount: net,
    exchange_rate: null,
    fee_details: '[]',
    source_id: kind === 'payout' ? `po_${id}` : null,
    charge_id: null,
    order_id: null,
    borne: 0,
    created_at: at,
    available_at: at,
    read_at: at,
    seal: 'x',
  }))
  await fixture.test.db.transaction(async trx => {
    for (let n = 0; n < rows.length; n += 500)
      await trx
        .insertInto('provider_movements')
        .values(rows.slice(n, n + 500))
        .execute()
  })
}
const sales = () =>
  fixture.test.db.read(reader =>
    reader
      .selectFrom('provider_movements')
      .select('id')
      .where('kind', '=', 'charge')
      .where('order_id', 'is not', null)
      .execute(),
  )
async function buyAndRead(card: string): Promise<void> {
  await fixture.buy({}, card)
  await fixture.deliver()
  fixture.clock.advance(HOUR_MS)
  await fixture.deliver()
  await readMovements(fixture.deps)
}
const isOfPayout = (request: Request) => new URL(request.url).pathname.startsWith('/v1/payouts/po_txn_')

it('reads on where the provider knows a payout no more, and tells the operator once', async () => {
  await buyAndRead(CARD.spanish)
  await plantMovements('payout', ['txn_of_before'], -100)
  fixture.clock.advance(9 * DAY_MS)
  await buyAndRead(CARD.good)
  expect(await sales()).toHaveLength(2)
  expect(fixture.alarms).toEqual(['provider-payout-missing'])
  expect(fixture.logged.join()).toContain('po_txn_of_before')
  const asked = fixture.asked.length
  fixture.clock.advance(DAY_MS)
  await readMovements(fixture.deps)
  expect(fixture.asked.slice(asked).join()).not.toContain('po_txn_of_before')
  expect(fixture.alarms).toEqual(['provider-payout-missing'])
  // The row was put there for this test, so that its seal and its books are not right; of its parts nothing is said.
  const found = await checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() })
  expect(found.map(({ rule }) => rule)).not.toContain('provider-payout-differs')
})

it('tells of such a payout once, whatever process dies behind a commit', async () => {
  await buyAndRead(CARD.spanish)
  const told = await mailsOf('provider-payout-missing', async round => {
    await plantMovements('payout', [`txn_of_before_${round}`], -100)
    const { clock, test } = fixture
    return { db: test.db, clock, act: by => readMovements({ ...fixture.deps, ...by }) }
  })
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual(oneEach(told))
})

const refused = (status: number, type: string) => () =>
  Response.json({ error: { type, code: 'not_for_this_key', message: 'x' } }, { status })

it.each([
  [
    'in an answer without sense',
    () => Response.json({ object: 'list', url: '/v1/balance_transactions', has_more: false, data: [null] }),
  ],
  ['as a request that is refused', refused(400, 'invalid_request_error')],
  ['for want of a right', refused(403, 'invalid_request_error')],
] as const)('reads on where one payout cannot be read, %s, and asks about it again', async (_, answer) => {
  await buyAndRead(CARD.spanish)
  await plantMovements('payout', ['txn_unreadable'], -100)
  let times = 0
  fixture.between(async (request, next) => {
    if (isOfPayout(request)) {
      times++
      return Response.json({ object: 'payout', automatic: true })
    }
    return request.url.includes('payout=po_txn_unreadable') ? answer() : next(request)
  })
  fixture.clock.advance(9 * DAY_MS)
  await buyAndRead(CARD.good)
  expect(await sales()).toHaveLength(2)
  expect(fixture.alarms).toContain('payout-parts-not-read')
  expect(times).toBeGreaterThan(1)
  const found = await checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() })
  expect(found).toContainEqual(
    expect.objectContaining({ rule: 'provider-payout-differs', subject: 'txn_unreadable' }),
  )
})

it.each([
  ['provider-unavailable', () => new TypeError('fetch failed')],
  ['temporarily-unavailable', () => new Problem('temporarily-unavailable')],
] as const)('stops at a payout for %s, and reads it by the next run', async (code, failure) => {
  await buyAndRead(CARD.spanish)
  await plantMovements('payout', ['txn_of_before'], -100)
  let isAway = true
  fixture.between((request, next) =>
    isAway && isOfPayout(request) ? Promise.reject(failure()) : next(request),
  )
  await expect(readMovements(fixture.deps)).rejects.toMatchObject({ code })
  expect(fixture.alarms).not.toContain('provider-payout-missing')
  isAway = false
  await readMovements(fixture.deps)
  expect(fixture.alarms).toContain('provider-payout-missing')
})

it('does not say that all is read where it got no turn to ask about a dispute', async () => {
  await buyAndRead(CARD.disputed)
  fixture.clock.advance(DELAYS.disputeMs)
  await fixture.deliver()
  fixture.clock.advance(HOUR_MS)
  await readMovements(fixture.deps)
  fixture.between((request, next) =>
    request.url.includes('/v1/charges/')
      ? Promise.reject(new Problem('temporarily-unavailable'))
      : next(request),
  )
  await expect(readMovements(fixture.deps)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
})

it('keeps what a payout is made of, though it names more than one statement takes', async () => {
  const { deps, test, clock } = fixture
  const many = (test.db.engine === 'postgres' ? 65_535 : 32_766) + 1
  const ids = Array.from({ length: many }, (_, n) => `txn_${n}`)
  await plantMovements('charge', ids, 1)
  await plantMovements('payout', ['txn_of_many'], -many)
  const stripe = {
    payouts: { retrieve: async () => ({ automatic: true }) },
    balanceTransactions: {
      async *list() {
        for (const id of ids) yield { id, created: Math.ceil(clock() / 1000) }
      },
    },
  } as unknown as Stripe
  expect(await keepPayoutParts({ ...deps, stripe }, async () => {})).toBe(1)
  const kept = await test.db.read(reader =>
    reader
      .selectFrom('provider_payout_parts')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  )
  expect(Number(kept.count)).toBe(many)
})
