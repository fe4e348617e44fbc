import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Act, RefundAsked } from '#domain/desk/acts.ts'
import { MINUTE_MS } from '#domain/durations.ts'
import { setHold } from '#server/modules/desk/acts.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { aPress } from '#tests/builders/press.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const desk = () => deskOf(fixture)
let presses = 0
const act = (asked: Act, press = `press ${presses++}`) => desk().act(asked, aPress(press))
/** What an act was refused for; `done` where it was not. */
const said = (asked: Act, press?: string): Promise<string> =>
  act(asked, press).then(
    () => 'done',
    error => error.details?.fields?.[0]?.rule ?? error.code,
  )

/** The cards of an order, by their places, and their order. */
async function sold(cards = 1, card: string = CARD.good) {
  await fixture.buy(cards === 1 ? {} : { cards }, card)
  await fixture.deliver()
  const rows = await fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .select(['id', 'order_id'])
      .orderBy('created_at', 'desc')
      .orderBy('position')
      .limit(cards)
      .execute(),
  )
  return { ids: rows.map(({ id }) => id), order: rows[0]!.order_id! }
}
const statusOf = async (id: string) => (await desk().card(id)).status
const use = (id: string) =>
  fixture.cards.redeem(fixture.deps.keys.privateKey(id, 1), [{ ngoId: 'msf', points: 50 }]).then(
    () => 'used',
    error => error.code,
  )
/** Oldest first. */
const refunds = async () =>
  (await fixture.stripe.refunds.list()).data.map(({ amount, status }) => `${amount} ${status}`).reverse()
const whole: RefundAsked = { amount: 6_500, currency: 'EUR', left: 6_500, used: false }
const isAsked = (request: Request) => request.method === 'POST' && request.url.endsWith('/v1/refunds')

/** The first call looks at what went back, and something happens before it asks for more. */
function betweenLookAndRefund(happens: () => Promise<void>): void {
  let isFirst = true
  fixture.between(async (request, next) => {
    const answer = await next(request)
    if (isFirst && request.method === 'GET' && request.url.includes('/v1/refunds')) {
      isFirst = false
      await happens()
    }
    return answer
  })
}

/** All of the money goes back at the provider's own site, and the bank sends it back. */
async function refundElsewhereFails(): Promise<void> {
  await fixture.refund()
  await fixture.deliver()
  fixture.clock.advance(DELAYS.refundResultMs)
  await fixture.deliver()
}

/** The next refund is made, and nobody hears of it. */
function loseAnswer(): void {
  let isFirst = true
  fixture.between(async (request, next) => {
    const answer = await next(request)
    if (!isFirst || !isAsked(request)) return answer
    isFirst = false
    throw new TypeError('fetch failed')
  })
}

describe('a refund from a timeline is not asked for', () => {
  it('where all of the money went back elsewhere meanwhile, which failed, and somebody used the card', async () => {
    const { ids } = await sold(1, CARD.failingRefund)
    const seen: unknown[] = []
    betweenLookAndRefund(async () => {
      await refundElsewhereFails()
      seen.push(await use(ids[0]!))
    })
    seen.push(await said({ act: 'refund', card: ids[0]!, ...whole }))
    expect([seen, await refunds(), await statusOf(ids[0]!)]).toEqual([
      ['used', 'changed'],
      ['6500 failed'],
      'consumed',
    ])
    expect(await fixture.findings()).toEqual([])
  })

  it('twice for one of many cards, by a press that began when such a refund had failed', async () => {
    const { ids } = await sold(2, CARD.failingRefund)
    const asked: Act = { act: 'refund', card: ids[0]!, ...whole, left: 13_000 }
    const seen: unknown[] = []
    betweenLookAndRefund(async () => {
      await refundElsewhereFails()
      seen.push(await said(asked, 'another press'))
    })
    seen.push(await said(asked, 'one press'))
    expect([seen, await refunds()]).toEqual([
      ['done', 'changed'],
      ['13000 failed', '6500 succeeded'],
    ])
  })

  it('by a call of a press, where another one was answered, which had looked after a refund that failed', async () => {
    const { ids } = await sold(1, CARD.failingRefund)
    const part: Act = { act: 'refund', card: ids[0]!, ...whole, amount: 700 }
    const seen: unknown[] = []
    betweenLookAndRefund(async () => {
      await fixture.refund(1_000)
      fixture.clock.advance(DELAYS.refundResultMs)
      await fixture.deliver()
      seen.push(await said(part, 'one press'))
    })
    seen.push(await said(part, 'one press'))
    expect([seen, await refunds()]).toEqual([
      ['done', 'changed'],
      ['1000 failed', '700 succeeded'],
    ])
  })

  it('by a process that slept for ten minutes, after somebody released the card and used it', async () => {
    const { ids } = await sold()
    const seen: unknown[] = []
    betweenLookAndRefund(async () => {
      fixture.clock.advance(10 * MINUTE_MS)
      await act({ act: 'release', card: ids[0]! })
      seen.push(await use(ids[0]!))
    })
    seen.push(await said({ act: 'refund', card: ids[0]!, ...whole }))
    expect([seen, await refunds()]).toEqual([['used', 'changed'], []])
    expect(await fixture.findings()).toEqual([])
  })

  it('again by a press whose answer was lost, though as much is left as it saw, since another refund failed', async () => {
    const { ids } = await sold(1, CARD.failingRefund)
    await fixture.refund(700)
    await fixture.deliver()
    loseAnswer()
    fixture.clock.advance(DELAYS.refundResultMs - 1_000)
    const asked: Act = { act: 'refund', card: ids[0]!, ...whole, amount: 700, left: 5_800 }
    expect(await said(asked, 'one press')).toBe('provider-unavailable')
    fixture.clock.advance(1_000)
    await fixture.deliver()
    expect([await said(asked, 'one press'), await refunds()]).toEqual([
      'done',
      ['700 failed', '700 succeeded'],
    ])
  })
})

it('a press hears what the provider refused to another one, which nobody heard, and the next one is asked for anew', async () => {
  const { ids } = await sold()
  const refusals = new Set<string | null>()
  let isLost = true
  fixture.between(async (request, next) => {
    if (!isAsked(request)) return next(request)
    const key = request.headers.get('idempotency-key')
    const text = `${key} ${await request.clone().text()}`
    const isKept = [...refusals].some(kept => kept?.startsWith(`${key} `))
    if (!isKept && refusals.size > 0) return next(request)
    const isAnother = isKept && !refusals.has(text)
    refusals.add(text)
    if (isLost) throw new TypeError('fetch failed')
    const type = isAnother ? 'idempotency_error' : 'invalid_request_error'
    return Response.json({ error: { type, message: 'no' } }, { status: 400 })
  })
  const asked: Act = { act: 'refund', card: ids[0]!, ...whole }
  expect(await said(asked, 'one press')).toBe('provider-unavailable')
  isLost = false
  fixture.clock.advance(10 * MINUTE_MS)
  await act({ act: 'release', card: ids[0]! })
  expect(await said(asked, 'another press')).toBe('provider-refused')
  expect(await statusOf(ids[0]!)).toBe('active')
  expect([await said(asked, 'a third press'), await refunds()]).toEqual(['done', ['6500 succeeded']])
  expect(await fixture.findings()).toEqual([])
})

it('what is left of one of many cards takes the card back, wherever the odd cent of another refund was', async () => {
  const { ids, order } = await sold(3)
  await fixture.refund(1_000)
  await fixture.deliver()
  await act({ act: 'release', card: order })
  for (const card of ids.toReversed()) {
    const refundable = (await desk().card(card)).refundable!
    const amount = 'leftOfCard' in refundable ? refundable.leftOfCard : 0
    await act({ act: 'refund', card, ...refundable, amount })
    expect(await statusOf(card)).toBe('revoked')
  }
  expect((await desk().card(ids[0]!)).refundable).toMatchObject({ left: 0 })
  expect(await fixture.findings()).toEqual([])
})

describe('a refund of which nobody heard, and of which the account knows nothing any more,', () => {
  /** Its order is from before charges were kept, and the account is another one by now. */
  const leftOver = async () => {
    const { ids, order } = await sold()
    await readMovements(fixture.deps)
    await fixture.test.db.transaction(trx =>
      trx.deleteFrom('charges').where('order_id', '=', order).execute(),
    )
    loseAnswer()
    expect(await said({ act: 'refund', card: ids[0]!, ...whole })).toBe('provider-unavailable')
    fixture.clock.advance(11 * MINUTE_MS)
    fixture.between(async (request, next) => {
      const { pathname } = new URL(request.url)
      const isList = ['/v1/charges', '/v1/balance_transactions', '/v1/payouts'].includes(pathname)
      return isList
        ? Response.json({ object: 'list', data: [], has_more: false, url: pathname })
        : next(request)
    })
    return ids[0]!
  }
  it('holds its card in the Studio', async () => {
    const card = await leftOver()
    expect([await said({ act: 'release', card }), await use(card)]).toEqual([
      'payment-not-found',
      'card-not-found',
    ])
  })

  it('holds its card at the terminal, whatever was read', async () => {
    const card = await leftOver()
    await readMovements(fixture.deps)
    const released = await fixture.test.db.transaction(trx =>
      setHold(trx, fixture.deps, 'donation', { card, stands: false }),
    )
    expect(released).toMatchObject({ status: 'frozen', others: ['refund'] })
  })
})
