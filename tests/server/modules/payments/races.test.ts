import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import type { Database } from '#server/platform/db/database.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'
import {
  CARD,
  clientOf,
  openPaymentsFixture,
  type PaymentsFixture,
} from '../../../support/payments-fixture.ts'

/** On each engine. */
const SHUFFLES = count({ usual: 60, long: 2_000 })

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const ONE = { paid: 1, cards: 1, sales: 1, mails: 1 }

/** The same order for the same chance. */
function shuffled<T>(things: readonly T[], chance: () => number): T[] {
  return things
    .map(thing => ({ thing, place: chance() }))
    .sort((a, b) => a.place - b.place)
    .map(({ thing }) => thing)
}

describe('the webhook and the success page', () => {
  it(`make one card of one payment in every order, on two servers, ${SHUFFLES} shuffles`, async () => {
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    for (let seed = 1; seed <= SHUFFLES; seed++) {
      const chance = fakeChance(seed)
      const { sessionId } = await fixture.buy()
      fixture.clock.advance(chance() < 0.3 ? 6 * 60_000 : 0)
      const events = await fixture.collectEvents()
      // The buyer is looking at one server, the provider at another; reconciliation may run on both.
      const here = () => (chance() < 0.5 ? fixture.payments : other)
      const visits = Array.from({ length: Math.floor(chance() * 4) }, () =>
        here().settle.bind(null, sessionId),
      )
      const deliveries = [...events, ...events.filter(() => chance() < 0.7), events[0]!].map(
        ({ body, signature }) => here().receiveEvent.bind(null, body, signature),
      )
      const looks = chance() < 0.2 ? [here().reconcile] : []
      const acts: (() => Promise<unknown>)[] = shuffled([...visits, ...deliveries, ...looks], chance)
      while (acts.length > 0) {
        const together = acts.splice(0, 1 + Math.floor(chance() * 4))
        await Promise.all(together.map(act => act()))
      }
      const settled = await fixture.payments.settle(sessionId)
      expect(await other.settle(sessionId)).toEqual(settled)
      const counts = await fixture.counts()
      expect(counts, `seed ${seed}`).toEqual({ paid: seed, cards: seed, sales: seed, mails: seed })
    }
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
  }, 3_600_000)

  it('make one card when forty arrive at once', async () => {
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    const { sessionId } = await fixture.buy()
    const both = [fixture.payments, other]
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => both[n % 2]!.settle(sessionId)))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(await fixture.counts()).toEqual(ONE)
    expect(await fixture.findings()).toEqual([])
  })
})

describe('a refund and a redemption at the same instant', () => {
  it('leave a card that is given or revoked, never both', async () => {
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    for (let n = 0; n < 25; n++) {
      const { sessionId } = await fixture.buy()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.collectEvents()
      await fixture.refund()
      const events = await fixture.collectEvents()
      const given = fixture.cards
        .redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
        .catch(error => error.code)
      const heard = [...events, ...events].map(({ body, signature }, each) =>
        (each % 2 === 0 ? fixture.payments : other).receiveEvent(body, signature),
      )
      await Promise.all([given, ...heard])
      expect(await fixture.findings(), `round ${n}`).toEqual([])
    }
  }, 120_000)
})

/** Dependencies that do something at their n-th breath: before and after each call of the database and the provider. */
function breathing(
  deps: PaymentsDependencies,
  fetchNext: PaymentsFixture['double']['fetch'],
  atBreath: () => Promise<void>,
) {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await atBreath()
    const result = await work()
    await atBreath()
    return result
  }
  const db: Database = {
    ...deps.db,
    read: fn => around(() => deps.db.read(fn)),
    confirmed: fn => around(() => deps.db.confirmed(fn)),
    transaction: fn => around(() => deps.db.transaction(fn)),
  }
  return { ...deps, db, stripe: clientOf(request => around(() => fetchNext(request))) }
}

/** A rival at each breath in turn. @returns how many breaths a settlement has. Fails unless each payment made one card. */
async function settleBesideARival(deps: PaymentsDependencies): Promise<number> {
  // The first time without a rival, which tells how many breaths there are.
  let breaths = 0
  for (let at = 0; at <= breaths; at++) {
    const { sessionId } = await fixture.buy()
    let breath = 0
    let rival: unknown
    const slow = breathing(
      deps,
      request => fixture.double.fetch(request),
      async () => {
        if (++breath === at) rival = await fixture.payments.settle(sessionId)
      },
    )
    const settled = await createPayments(slow).settle(sessionId)
    expect(rival ?? settled).toEqual(settled)
    if (at === 0) breaths = breath
    const n = at + 1
    expect(await fixture.counts(), `breath ${at}`).toEqual({ paid: n, cards: n, sales: n, mails: n })
  }
  return breaths
}

describe('a rival', () => {
  it('who settles the same payment at any breath of it changes nothing', async () => {
    expect(await settleBesideARival(fixture.deps)).toBeGreaterThan(8)
    expect(await fixture.findings()).toEqual([])
  })

  it('is told from a settlement that does not ask for an unpaid order', async () => {
    const unguarded = { ...fixture.deps, db: withoutGuard(fixture.deps.db, 'orders', 'status') }
    await expect(settleBesideARival(unguarded)).rejects.toThrow(/constraint/i)
    // Even then the table's own key lets one order make one card.
    const { paid, cards, sales } = await fixture.counts()
    expect([paid, sales]).toEqual([cards, cards])
    expect(await fixture.findings()).toEqual([])
  })

  it('who comes while the card is being made waits, and finds it', async () => {
    const { sessionId } = await fixture.buy()
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    const outside = AsyncLocalStorage.snapshot()
    const rivals: Promise<unknown>[] = []
    const keys: PaymentsDependencies['keys'] = {
      ...fixture.deps.keys,
      // Called inside the transaction, after the order was taken and before there is a card.
      privateKey(cardId, version) {
        while (rivals.length < 3) outside(() => rivals.push(other.settle(sessionId)))
        return fixture.deps.keys.privateKey(cardId, version)
      },
    }
    const settled = await createPayments({ ...fixture.deps, keys }).settle(sessionId)
    expect(rivals).toHaveLength(3)
    for (const rival of await Promise.all(rivals)) expect(rival).toEqual(settled)
    expect(await fixture.counts()).toEqual(ONE)
  })

  it('who redeems at any breath of a refund loses the card or keeps the gift, and the books agree', async () => {
    let breaths = 0
    const ends = new Set<string>()
    for (let at = 0; at <= breaths; at++) {
      const { sessionId } = await fixture.buy()
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.collectEvents()
      await fixture.refund()
      const events = await fixture.collectEvents()
      let breath = 0
      const slow = breathing(
        fixture.deps,
        request => fixture.double.fetch(request),
        async () => {
          if (++breath !== at) return
          const given = fixture.cards.redeem(privateKey, [{ ngoId: 'cerf', points: 50 }])
          ends.add(
            await given.then(
              () => 'given',
              error => error.code,
            ),
          )
        },
      )
      for (const { body, signature } of events) await createPayments(slow).receiveEvent(body, signature)
      if (at === 0) breaths = breath
      expect(await fixture.findings(), `breath ${at}`).toEqual([])
    }
    expect(ends).toEqual(new Set(['given', 'card-not-found']))
  })

  it('who hears that the refund failed at any breath of hearing of the refund leaves the card active', async () => {
    let breaths = 0
    for (let at = 0; at <= breaths; at++) {
      const { sessionId } = await fixture.buy({}, CARD.failingRefund)
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.collectEvents()
      await fixture.refund()
      const [refunded] = (await fixture.collectEvents()).filter(({ body }) =>
        body.includes('"charge.refunded"'),
      )
      const refundFails = async () => {
        fixture.clock.advance(10_000)
        await fixture.deliver()
      }
      let breath = 0
      const slow = breathing(
        fixture.deps,
        request => fixture.double.fetch(request),
        async () => {
          if (++breath === at) await refundFails()
        },
      )
      await createPayments(slow).receiveEvent(refunded!.body, refunded!.signature)
      if (at === 0) {
        breaths = breath
        await refundFails()
      }
      const view = await fixture.cards.open(privateKey, 'full')
      expect(view.consumed, `breath ${at}`).toBe(false)
    }
    expect(breaths).toBeGreaterThan(10)
    expect(await fixture.findings()).toEqual([])
  })
})
