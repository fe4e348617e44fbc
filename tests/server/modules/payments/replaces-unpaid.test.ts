import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purchaseIn } from '#domain/payment/same-purchase.ts'
import { pressOf } from '#server/http/pipeline/said-at-payment.ts'
import type { StartDonation } from '#server/modules/payments/interface.ts'
import { startDonation } from '#server/modules/payments/start.ts'
import { aStart, CARD, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const orders = () => fixture.test.db.read(db => db.selectFrom('orders').selectAll().execute())
const statusOf = async (sessionId: string) =>
  (await fixture.stripe.checkout.sessions.retrieve(sessionId)).status
const sessions = async () => (await fixture.stripe.checkout.sessions.list({ limit: 100 })).data

/** A press by a form, which carries its attempt: its key is that of the purchase alone. */
const press = (beside: Partial<StartDonation> = {}) => {
  const choice = { ...aStart, ...beside }
  return fixture.start({ ...beside, attemptKey: pressOf('a', purchaseIn(choice)), replacesUnpaid: true })
}

/** What a payer may say otherwise on the same form. */
const BESIDE = [
  {},
  { language: 'fr' },
  { language: 'en' },
  { donor: { name: 'Núria Puig', document: '12345678Z' } },
  { message: 'Per molts anys' },
  { fallbackNgoId: 'msf' },
] as const satisfies readonly Partial<StartDonation>[]

const SPENT = {
  code: 'invalid-fields',
  details: { fields: [{ path: 'Idempotency-Key', rule: 'spent' }] },
}

describe('a form that says something else beside the same purchase', () => {
  it('has one payment page at a time: the earlier one is closed', async () => {
    const opened: string[] = []
    for (const beside of BESIDE) opened.push((await press(beside)).sessionId)
    expect(new Set(opened).size).toBe(BESIDE.length)
    expect(await Promise.all(opened.map(statusOf))).toEqual([...opened.slice(1).map(() => 'expired'), 'open'])
    expect((await orders()).filter(({ status }) => status === 'open')).toHaveLength(1)
    // The same again is the same payment.
    expect((await press(BESIDE.at(-1))).sessionId).toBe(opened.at(-1))
  })

  it.each(BESIDE.map((_, paid) => paid))(
    'is told that it was paid, whichever of them was, and opens nothing (paid: %i)',
    async paid => {
      for (const beside of BESIDE.slice(0, paid)) await press(beside)
      const { sessionId } = await press(BESIDE[paid])
      await fixture.pay(sessionId)
      const opened = (await sessions()).length
      // Not settled yet: the provider is asked.
      for (const beside of BESIDE.filter((_, index) => index !== paid))
        await expect(press(beside)).rejects.toMatchObject(SPENT)
      await fixture.payments.settle(sessionId)
      for (const beside of BESIDE) await expect(press(beside)).rejects.toMatchObject(SPENT)
      expect(await sessions()).toHaveLength(opened)
      expect(await fixture.counts()).toMatchObject({ paid: 1, cards: 1, sales: 1 })
    },
  )

  it('waits for a slow payment instead of opening another one', async () => {
    await fixture.pay((await press()).sessionId, CARD.slowDebit)
    await expect(press({ language: 'fr' })).rejects.toMatchObject(SPENT)
    expect(await orders()).toHaveLength(1)
  })

  it('opens a new payment once the earlier one has failed or expired', async () => {
    await fixture.pay((await press()).sessionId, CARD.failingDebit)
    fixture.clock.advance(15 * 86_400_000)
    await fixture.deliver()
    expect((await orders()).map(({ status }) => status)).toEqual(['failed'])
    const second = await press({ language: 'fr' })
    await fixture.stripe.checkout.sessions.expire(second.sessionId)
    expect(await statusOf((await press({ language: 'en' })).sessionId)).toBe('open')
  })

  it('opens a payment where the earlier one was never opened', async () => {
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(press()).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect((await orders()).map(each => each.checkout_session_digest)).toEqual([null])
    fixture.between((request, next) => next(request))
    const { sessionId } = await press({ language: 'fr' })
    expect((await sessions()).map(({ id }) => id)).toEqual([sessionId])
    const kept = await orders()
    expect(kept.map(({ language, status }) => [language, status]).sort()).toEqual([
      ['es', 'expired'],
      ['fr', 'open'],
    ])
    expect(kept.find(({ language }) => language === 'es')?.attempt_key_digest).toBeNull()
  })

  it('keeps the earlier payment where the provider cannot close it', async () => {
    const first = await press()
    fixture.between((request, next) =>
      request.url.endsWith('/expire') ? Promise.reject(new TypeError('down')) : next(request),
    )
    await expect(press({ language: 'fr' })).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect((await press()).sessionId).toBe(first.sessionId)
    expect(await orders()).toHaveLength(1)
  })

  it('asks anew after a failure of the provider to close it, which repeats its answer to a key', async () => {
    const first = await press()
    const keys: (string | null)[] = []
    fixture.between((request, next) => {
      if (!request.url.endsWith('/expire')) return next(request)
      keys.push(request.headers.get('Idempotency-Key'))
      return Promise.resolve(Response.json({ error: { type: 'api_error', message: 'x' } }, { status: 500 }))
    })
    for (let n = 0; n < 2; n++)
      await expect(press({ language: 'fr' })).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect(new Set(keys).size).toBe(2)
    fixture.between((request, next) => next(request))
    await press({ language: 'fr' })
    expect(await statusOf(first.sessionId)).toBe('expired')
  })

  it('goes on where another server has closed it in that moment', async () => {
    const first = await press()
    fixture.between(async (request, next) => {
      if (request.url.endsWith('/expire')) await fixture.stripe.checkout.sessions.expire(first.sessionId)
      return next(request)
    })
    expect(await statusOf((await press({ language: 'fr' })).sessionId)).toBe('open')
  })

  it('keeps its payment page where no other one can be opened', async () => {
    const { sessionId } = await press()
    // Who gives has to be said from now on, and was not.
    fixture.markets = { ...fixture.markets, EUR: { ...fixture.markets.EUR, identityFrom: 10 } }
    await expect(press({ language: 'fr' })).rejects.toMatchObject({ code: 'summary-changed' })
    expect(await statusOf(sessionId)).toBe('open')
    // Paid, that is what is said, whatever else would be wrong.
    await fixture.pay(sessionId)
    await expect(press({ language: 'fr' })).rejects.toMatchObject(SPENT)
  })

  it('opens nothing where it is paid while it is being closed', async () => {
    const first = await press()
    fixture.between(async (request, next) => {
      if (request.url.endsWith('/expire')) await fixture.pay(first.sessionId)
      return next(request)
    })
    await expect(press({ language: 'fr' })).rejects.toMatchObject(SPENT)
    expect(await sessions()).toHaveLength(1)
  })

  it('opens one payment for presses of two languages at the same instant, or closes the others', async () => {
    await press()
    const both = await Promise.allSettled([press({ language: 'fr' }), press({ language: 'en' })])
    const given = both.filter(each => each.status === 'fulfilled').map(({ value }) => value.sessionId)
    expect(given.length).toBeGreaterThan(0)
    // A session that nobody was led to may stay: nobody can pay it.
    const open = (await Promise.all(given.map(statusOf))).filter(status => status === 'open')
    expect(open.length).toBeLessThanOrEqual(1)
    expect(await statusOf((await press({ language: 'fr' })).sessionId)).toBe('open')
  })

  it('leaves an order alone for which a payment page was opened in that moment, and closes that first', async () => {
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(press()).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    const { db } = fixture.deps
    let opened: string | undefined
    let transactions = 0
    const inBetween: typeof db = {
      ...db,
      async transaction(fn) {
        // The first reads the order, the second takes its place.
        if (++transactions === 2) opened = (await press()).sessionId
        return db.transaction(fn)
      },
    }
    const attemptKey = pressOf('a', purchaseIn(aStart))
    const asked = { ...aStart, language: 'fr', attemptKey, replacesUnpaid: true } as const
    const { url } = await startDonation({ ...fixture.deps, db: inBetween }, asked)
    expect(opened).toBeDefined()
    expect(url).not.toContain(opened)
    expect(await statusOf(opened!)).toBe('expired')
  })

  it('is no other purchase’s: another amount has a payment of its own', async () => {
    const first = await press()
    const second = await press({ ngoAmount: 10_000, supportAmount: 0 })
    expect(await Promise.all([first, second].map(({ sessionId }) => statusOf(sessionId)))).toEqual([
      'open',
      'open',
    ])
  })
})

describe('an order', () => {
  it('says which terms its buyer agreed to last', async () => {
    await fixture.test.db.transaction(trx =>
      trx.insertInto('legal_texts').values({ version: '2026-02', page: 'terms', content: '{}' }).execute(),
    )
    await press()
    await press({ termsVersion: '2026-02' })
    const [open] = (await orders()).filter(({ status }) => status === 'open')
    expect(open!.terms_version).toBe('2026-02')
    // A browser that keeps its key is told so, and presses with another one.
    const attemptKey = 'a press of the button'
    await fixture.start({ attemptKey })
    await expect(fixture.start({ attemptKey, termsVersion: '2026-02' })).rejects.toMatchObject({
      details: { fields: [{ path: 'Idempotency-Key', rule: 'used-otherwise' }] },
    })
  })
})
