import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'
import { isProblem } from '#domain/problems.ts'
import { createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import {
  areEarlierRowsProtected,
  protectEarlierRows,
} from '#server/modules/gifts/cards/protect-earlier-rows.ts'
import { createNewsletter } from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { sessionOf } from '#server/modules/payments/orders.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '../../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const keys = () => fixture.deps.keys
const close = () => protectEarlierRows(fixture.test.db, keys(), fixture.clock())
const orders = () =>
  fixture.test.db.read(db => db.selectFrom('orders').selectAll().orderBy('created_at').execute())

const anAddress = (typed: string) => {
  const address = readClaimAddress(typed)
  if (typeof address === 'string') throw new Error(typed)
  return address
}
const claim = () =>
  createClaim({
    ...fixture.deps,
    campaigns: () => [{ tag: 'gift-seed', language: 'en', source: 'other', active: true, stock: 9 }],
  })({
    campaignCode: 'gift-seed',
    address: anAddress('ana@example.org'),
    currency: 'EUR',
    themeId: 'palestine',
    sender: { kind: 'anonymous' },
    language: 'en',
  })
const subscribe = () =>
  createNewsletter({ ...fixture.deps, tokens: createTokens('x'.repeat(40)) }).subscribe({
    address: anAddress('ana@example.org'),
    name: 'Ana',
    phone: undefined,
    language: 'en',
  })

/** Puts everything back as the version before kept it. */
async function asBefore(sessions: readonly string[]): Promise<void> {
  const plain = (text: string) => keys().digest(text)
  for (const order of await orders()) {
    const session = sessions.find(id => keys().keyedDigest(id) === order.checkout_session_digest)
    const isPaid = order.status === 'paid'
    const asked = JSON.stringify([
      order.package_id,
      order.ngo_amount,
      order.support_amount,
      order.currency,
      order.theme_id,
      order.sender_name,
      order.language,
    ])
    await fixture.test.plant(`update orders set checkout_session_sealed = null,
      request_digest = '${plain(asked)}',
      checkout_session_digest = ${isPaid && session ? `'${plain(session)}'` : 'null'},
      checkout_session_id = ${!isPaid && session ? `'${session}'` : 'null'},
      checkout_url = ${!isPaid && session ? `'https://pay.example/c/pay/${session}'` : 'null'}
      where id = '${order.id}'`)
  }
  await fixture.test.plant(
    `update free_claims set address_digest = '${plain('free card of ana@example.org')}'`,
    `update newsletter_subscribers set address_digest = '${plain('newsletter of ana@example.org')}'`,
    'delete from secret_checks',
  )
}

/** A paid order, an open one and one that was given up, a claim and a subscription; all of them kept as before. */
async function anEarlierVersionsData() {
  const paid = await fixture.buy()
  const settled = await fixture.payments.settle(paid.sessionId)
  fixture.clock.advance(1_000)
  const open = await fixture.start({ attemptKey: 'an attempt of this browser' })
  fixture.clock.advance(1_000)
  const expired = await fixture.start()
  await fixture.stripe.checkout.sessions.expire(expired.sessionId)
  await fixture.deliver()
  await claim()
  await subscribe()
  const sessions = [paid, open, expired].map(({ sessionId }) => sessionId)
  await asBefore(sessions)
  return { paid, settled, open, expired, sessions }
}

describe('what an earlier version kept in clear, or to be guessed', () => {
  it('is closed at the first start, and everything goes on', async () => {
    const { paid, settled, open, expired, sessions } = await anEarlierVersionsData()
    expect(await areEarlierRowsProtected(fixture.test.db)).toBe(false)
    for (const session of sessions.slice(1)) expect(await fixture.test.dump()).toContain(session)
    expect(await close()).toBeGreaterThan(0)
    expect(await areEarlierRowsProtected(fixture.test.db)).toBe(true)

    const dump = await fixture.test.dump()
    const guesses = ['free card of ana@example.org', 'newsletter of ana@example.org', ...sessions]
    for (const guess of guesses) {
      expect(dump).not.toContain(guess)
      expect(dump).not.toContain(keys().digest(guess))
    }
    expect((await orders()).map(row => row.request_digest)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^hmac:/)),
    )

    expect(await fixture.payments.settle(paid.sessionId)).toEqual(settled)
    const again = await fixture.start({ attemptKey: 'an attempt of this browser' })
    expect(again.sessionId).toBe(open.sessionId)
    await fixture.pay(open.sessionId)
    expect((await fixture.payments.settle(open.sessionId)).senderName).toBe('Aina')
    expect((await orders()).map(row => row.checkout_session_sealed)).toEqual([null, null, null])
    await expect(fixture.payments.settle(expired.sessionId)).rejects.toMatchObject({
      code: 'payment-not-completed',
    })
    const second = await claim().catch((error: unknown) => (isProblem(error) ? error.code : error))
    expect(second).toBe('email-already-used')
    await subscribe()
    const subscribers = await fixture.test.db.read(db =>
      db.selectFrom('newsletter_subscribers').select('id').execute(),
    )
    expect(subscribers).toHaveLength(1)
    expect(fixture.alarms).toEqual([])
  })

  it('is closed once, also where several servers start at once, and never a second time', async () => {
    await anEarlierVersionsData()
    const others = [fixture.test.db, await fixture.test.another(), await fixture.test.another()]
    const counts = await Promise.all(others.map(db => protectEarlierRows(db, keys(), fixture.clock())))
    expect(counts.filter(count => count > 0)).toHaveLength(1)
    const after = await fixture.test.dump()
    await fixture.test.plant('delete from secret_checks')
    expect(await close()).toBe(0)
    await fixture.test.plant('delete from secret_checks')
    expect(await fixture.test.dump()).toBe(after.replace(/\n?secret_checks .*/, ''))
  })

  it('is closed in batches as well as in one', async () => {
    await fixture.payments.settle((await fixture.buy()).sessionId)
    const [order] = await orders()
    const many = Array.from({ length: 2_100 }, (_, n) => ({
      ...order!,
      id: `${order!.id}${String(n).padStart(4, '0')}`,
      checkout_session_digest: keys().digest(`session ${n}`),
      request_digest: keys().digest(`request ${n}`),
    }))
    await fixture.test.db.transaction(async trx => {
      for (let n = 0; n < many.length; n += 300)
        await trx
          .insertInto('orders')
          .values(many.slice(n, n + 300))
          .execute()
    })
    expect(await close()).toBe(4_200)
    const digests = (await orders()).map(row => row.checkout_session_digest)
    expect(digests).toContain(keys().keyedDigest('session 2099'))
    expect(new Set(digests).size).toBe(2_101)
  })

  it('stands in no file of the embedded database afterwards', async () => {
    if (fixture.test.engine === 'postgres') return
    const { sessions } = await anEarlierVersionsData()
    await close()
    await fixture.test.db.scrub([])
    const path = join(fixture.test.location.dataDir, SQLITE_FILE)
    for (const file of [path, `${path}-wal`].filter(each => existsSync(each))) {
      const bytes = readFileSync(file, 'latin1')
      for (const session of sessions) {
        expect(bytes).not.toContain(session)
        expect(bytes).not.toContain(keys().digest(session))
      }
      expect(bytes).not.toContain(keys().digest('free card of ana@example.org'))
    }
  })

  it('is undone whole when it fails', async () => {
    await anEarlierVersionsData()
    const before = await fixture.test.dump()
    let left = 4
    const failing = {
      ...keys(),
      keyedDigestOf(digest: string) {
        if (left-- === 0) throw new Error('power cut')
        return keys().keyedDigestOf(digest)
      },
    }
    await expect(protectEarlierRows(fixture.test.db, failing, fixture.clock())).rejects.toThrow('power cut')
    expect(await fixture.test.dump()).toBe(before)
  })
})

describe('an open order', () => {
  it('keeps its session closed, and nothing of it once it is over', async () => {
    const { sessionId } = await fixture.start()
    const [order] = await orders()
    expect(sessionOf(order!, keys())).toBe(sessionId)
    expect(await fixture.test.dump()).not.toContain(sessionId)
    await fixture.stripe.checkout.sessions.expire(sessionId)
    await fixture.deliver()
    expect(await orders()).toMatchObject([{ status: 'expired', checkout_session_sealed: null }])
  })

  it('is looked up at the provider by what is kept of it', async () => {
    const { sessionId } = await fixture.buy(aStart)
    fixture.clock.advance(10 * 60_000)
    expect(await fixture.payments.reconcile()).toBe(1)
    expect(await fixture.counts()).toMatchObject({ paid: 1, cards: 1 })
    expect(await fixture.test.dump()).not.toContain(sessionId)
  })
})
