import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { getT } from '#i18n/index.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import type { Message } from '#server/modules/letters/message.ts'
import type { StartOwnMoney } from '#server/modules/payments/interface.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { letterWorker, ngoNameIn } from '#tests/builders/letters.ts'
import { TEST_TERMS } from '#tests/builders/server.ts'
import { diesAt } from '#tests/support/crash-points.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { CARD, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
/** What organisations can be given to, from the next request on. */
let listed: readonly string[]
let payments: PaymentsFixture['payments']
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  listed = NGOS
  payments = createPayments({ ...fixture.deps, listedNgoIds: () => listed })
})
afterEach(() => fixture.close())

const asked: StartOwnMoney = {
  packageId: 'own',
  ngoAmount: 3_700,
  supportAmount: 300,
  currency: 'EUR',
  themeId: 'ukraine',
  language: 'es',
  termsVersion: TEST_TERMS,
  fulfilmentConsent: true,
  parts: [
    { ngoId: 'cerf', points: 2 },
    { ngoId: 'msf', points: 1 },
  ],
}
const SEEN = [
  ['cerf', 2_467],
  ['msf', 1_233],
]

async function start(changes: Partial<StartOwnMoney> = {}): Promise<string> {
  const { url } = await payments.startOwnMoney({ ...asked, ...changes })
  return url.slice(url.lastIndexOf('/') + 1)
}
async function pay(changes: Partial<StartOwnMoney> = {}, card?: string): Promise<string> {
  const sessionId = await start(changes)
  await fixture.pay(sessionId, card)
  return sessionId
}
async function deliver(): Promise<void> {
  for (const { body, signature } of await fixture.collectEvents())
    await payments.receiveEvent(body, signature)
}
const balances = () =>
  fixture.test.db.read(async db =>
    Object.fromEntries(
      (
        await db
          .selectFrom('ledger_entries')
          .select('account')
          .select(sql<number>`sum(amount)`.as('sum'))
          .groupBy('account')
          .execute()
      )
        .map(({ account, sum }) => [account, Number(sum)] as const)
        .filter(([, sum]) => sum !== 0),
    ),
  )
const card = () => fixture.test.db.read(db => db.selectFrom('cards').selectAll().executeTakeFirstOrThrow())
const order = () => fixture.test.db.read(db => db.selectFrom('orders').selectAll().executeTakeFirstOrThrow())
const given = () =>
  fixture.test.db.read(async db =>
    (await db.selectFrom('allocations').select(['ngo_id', 'amount']).orderBy('position').execute()).map(
      ({ ngo_id, amount }) => [ngo_id, amount],
    ),
  )
/** The letters that wait are sent. */
async function letters(): Promise<readonly Message[]> {
  const sent: Message[] = []
  const { keys, db } = fixture.deps
  await letterWorker({ db, clock: fixture.clock, keys }, sent).runDue()
  return sent
}

describe('own money', () => {
  it('goes to whom its payer saw, to the cent, with the payment, once', async () => {
    const sessionId = await pay()
    const session = await fixture.stripe.checkout.sessions.retrieve(sessionId, { expand: ['line_items'] })
    expect(session.amount_total).toBe(4_000)
    expect(session.success_url).toMatch(/\/own-money-thanks\?lang=es&session_id=\{CHECKOUT_SESSION_ID\}$/)
    expect(session.cancel_url).toMatch(/\/es\/intro\/no-refresh\/own-money-cancel$/)
    expect(session.line_items?.data[0]?.description).toBe(getT('es')('payment-line-own-money'))
    const settled = await payments.settleOwnMoney(sessionId)
    expect(settled).toMatchObject({ kind: 'given', amount: { amount: 3_700, currency: 'EUR' } })
    expect(JSON.stringify(settled)).not.toContain('@')
    expect(await payments.settleOwnMoney(sessionId)).toEqual(settled)
    await deliver()
    expect(await given()).toEqual(SEEN)
    expect(await balances()).toEqual({
      payments: -4_000,
      'ngo:cerf': 2_467,
      'ngo:msf': 1_233,
      support: 237,
      tax: 63,
    })
    expect(await card()).toMatchObject({ status: 'consumed', kind: 'donation' })
    expect((await order()).fulfilment_consent).toBe(getT('es')('own-money-consent'))
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
  })

  it('is found at the desk by its order, as what it is', async () => {
    await payments.settleOwnMoney(await pay())
    const { id } = await order()
    const file = await fixture.test.db.read(db => cardFile(db, id))
    const ordered = file?.history.find(({ what }) => what === 'ordered')
    expect(ordered?.details).toMatch(/, 40\.00 EUR in all, own money that a recipient added$/)
  })

  it('shows no key to whoever knows the session, and after a day not even to whom it went', async () => {
    const sessionId = await pay()
    await payments.settleOwnMoney(sessionId)
    await expect(payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    await expect(payments.settlePurchase(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    fixture.clock.advance(DAY_MS)
    expect(await payments.settleOwnMoney(sessionId)).toMatchObject({ kind: 'given', allocations: undefined })
    const gift = await fixture.buy()
    await expect(payments.settleOwnMoney(gift.sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
  })

  it('has its payer told by one mail, without any link of a card, and no letter of its use', async () => {
    await payments.settleOwnMoney(await pay())
    const [mail, ...more] = await letters()
    expect(more).toEqual([])
    expect(mail?.subject).toBe(getT('es')('mail-own-money-subject'))
    for (const part of [ngoNameIn('cerf', 'es'), '24,67', '12,33', '37,00', '40,00'])
      expect(mail?.text).toContain(part)
    expect(mail?.text).not.toMatch(/\/g\/|gift-card|send-for-me|gift-letters/)
    fixture.clock.advance(400 * DAY_MS)
    expect(await letters()).toEqual([])
  })

  it('waits to be divided anew where its list has lost an organisation, and tells its payer', async () => {
    const sessionId = await pay()
    listed = ['msf', 'unicef', 'another']
    expect(await payments.settleOwnMoney(sessionId)).toMatchObject({ kind: 'to-divide', maskedAddress: /@/ })
    expect(await given()).toEqual([])
    const { status, id, key_version } = await card()
    expect(status).toBe('active')
    const [mail] = await letters()
    expect(mail?.text).toContain(getT('es')('mail-own-money-divide-opening', { amount: '37 €' }))
    const key = fixture.deps.keys.privateKey(id, key_version)
    expect(mail?.text).toContain(key)
    await fixture.cards.redeem(key, [{ ngoId: 'msf', points: 37 }])
    expect(await balances()).toMatchObject({ 'ngo:msf': 3_700 })
    // What its holder does later is not what was given with the payment.
    expect(await payments.settleOwnMoney(sessionId)).toMatchObject({ kind: 'to-divide' })
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
  })

  it('goes as it was seen where another list has the same organisations', async () => {
    const sessionId = await pay()
    listed = ['unicef', 'msf', 'cerf', 'another']
    await payments.settleOwnMoney(sessionId)
    expect(await given()).toEqual(SEEN)
  })

  it('goes nowhere that another hand wrote into the database', async () => {
    const other = await start({ parts: [{ ngoId: 'unicef', points: 1 }] })
    const kept = (await order()).split_sealed
    const sessionId = await pay()
    await fixture.test.db.transaction(trx =>
      sql`update orders set split_sealed = ${kept} where checkout_session_digest = ${fixture.deps.keys.keyedDigest(sessionId)}`.execute(
        trx,
      ),
    )
    expect(await payments.settleOwnMoney(sessionId)).toMatchObject({ kind: 'to-divide' })
    expect(await given()).toEqual([])
    expect(fixture.alarms).toEqual(['own-money-unreadable'])
    await fixture.pay(other)
    await payments.settleOwnMoney(other)
    expect(await given()).toEqual([['unicef', 3_700]])
    expect(await fixture.findings()).toEqual([])
  })

  it('is no failure that comes for ever where another hand put something else in the place of its parts', async () => {
    const sessionId = await pay()
    await fixture.test.db.transaction(trx =>
      sql`update orders set split_sealed = checkout_session_sealed`.execute(trx),
    )
    expect(await payments.settleOwnMoney(sessionId)).toMatchObject({ kind: 'to-divide' })
    expect(await given()).toEqual([])
    expect(fixture.alarms).toEqual(['own-money-unreadable'])
  })

  it.each(['all', 'a part'] as const)(
    'goes to nobody where %s of it went back before it was settled',
    async part => {
      const sessionId = await pay()
      await fixture.refund(part === 'all' ? undefined : 1_000)
      await payments.settleOwnMoney(sessionId).catch(() => {})
      await deliver()
      expect(await given()).toEqual([])
      expect((await card()).status).toBe(part === 'all' ? 'revoked' : 'active')
      if (part === 'all') expect(await balances()).toEqual({ payments: -4_000, refunds: 4_000 })
      expect(await fixture.findings()).toEqual([])
    },
  )

  it('goes to nobody while its bank looks into the payment: lost, nothing is lost, and won, its payer divides it', async () => {
    for (const end of ['lost', 'won'] as const) {
      const sessionId = await pay({}, CARD.disputed)
      // The bank is faster than we are.
      fixture.clock.advance(3_600_000)
      const events = await fixture.collectEvents()
      await payments.settleOwnMoney(sessionId).catch(() => {})
      for (const { body, signature } of events) await payments.receiveEvent(body, signature)
      expect(await given()).toEqual([])
      expect(await letters()).toEqual([])
      await fixture.decideDispute(end)
      await deliver()
      expect(await given()).toEqual([])
      const sent = await letters()
      expect(sent.map(({ subject }) => subject)).toEqual(
        end === 'won' ? [getT('es')('mail-own-money-divide-subject')] : [],
      )
    }
    expect(await balances()).not.toHaveProperty('losses')
    expect(fixture.alarms).not.toContain('payment-reversed-at-a-loss')
    expect(await fixture.findings()).toEqual([])
  })

  it('is refused for an organisation that is not listed, without the consent, and at a price that is not sold', async () => {
    listed = ['msf']
    await expect(start()).rejects.toMatchObject({ code: 'ngo-not-listed' })
    listed = NGOS
    await expect(start({ fulfilmentConsent: false })).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(start({ ngoAmount: 3_750 })).rejects.toMatchObject({ code: 'price-not-listed' })
    await expect(start({ parts: [] })).rejects.toMatchObject({ code: 'invalid-fields' })
    fixture.markets = { ...fixture.markets, EUR: { ...fixture.markets.EUR, identityFrom: 30 } }
    await expect(start()).rejects.toMatchObject({
      code: 'summary-changed',
    })
  })

  it('opens one payment for one press, and refuses the press for another split', async () => {
    const attemptKey = 'a-press-of-the-tests'
    expect(await start({ attemptKey })).toBe(await start({ attemptKey }))
    const parts = [{ ngoId: 'cerf', points: 1 }]
    await expect(start({ attemptKey, parts })).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('goes back as that of a used card: the support when its payer withdraws, and at a loss when it is refunded', async () => {
    const sessionId = await pay()
    await payments.settleOwnMoney(sessionId)
    const withdrawals = createWithdrawals({ ...fixture.deps, withdrawalDays: 14 })
    const { id } = await order()
    const key = fixture.deps.keys.withdrawalKey(id, 1)
    await withdrawals.confirm(id, key, { name: 'Aina Puig', email: 'buyer@mail.example' })
    await deliver()
    expect(await balances()).toMatchObject({
      'ngo:cerf': 2_467,
      'ngo:msf': 1_233,
      payments: -4_000,
      refunds: 300,
    })
    expect((await card()).status).toBe('consumed')
    await fixture.refund()
    await deliver()
    expect(await balances()).toMatchObject({ 'ngo:cerf': 2_467, 'ngo:msf': 1_233, refunds: 4_000 })
    expect(fixture.alarms).toContain('payment-reversed-at-a-loss')
    expect(await fixture.findings()).toEqual([])
  })

  it('is given to nobody where its payer has withdrawn before the money came', async () => {
    const sessionId = await pay({}, CARD.slowDebit)
    await deliver()
    const { id } = await order()
    const withdrawals = createWithdrawals({ ...fixture.deps, withdrawalDays: 14 })
    const key = fixture.deps.keys.withdrawalKey(id, 1)
    await withdrawals.confirm(id, key, { name: 'Aina Puig', email: 'buyer@mail.example' })
    fixture.clock.advance(8 * DAY_MS)
    await deliver()
    await expect(payments.settleOwnMoney(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await given()).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('is paid and given, or neither, whichever statement of its settlement is the last', async () => {
    const sessionId = await pay()
    let deaths = 0
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      const there = createPayments({ ...fixture.deps, db: mortal.over(fixture.deps.db) })
      const survived = await there.settleOwnMoney(sessionId).then(
        () => mortal.survived(),
        () => false,
      )
      const { status } = await order()
      expect(await given(), `died at ${step}`).toEqual(status === 'paid' ? SEEN : [])
      expect(await fixture.findings(), `died at ${step}`).toEqual([])
      if (survived || status === 'paid') break
      deaths++
    }
    expect(deaths).toBeGreaterThan(12)
    expect(await given()).toEqual(SEEN)
  })

  it('is given once, on two servers, with every event doubled and shuffled', async () => {
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    for (let seed = 1; seed <= 4; seed++) {
      const chance = fakeChance(seed)
      const sessionId = await pay()
      const events = await fixture.collectEvents()
      const here = () => (chance() < 0.5 ? payments : other)
      const acts = [
        ...[...events, ...events].map(event => () => here().receiveEvent(event.body, event.signature)),
        () => here().settleOwnMoney(sessionId),
        () => here().settleOwnMoney(sessionId),
        () => here().reconcile(),
      ].sort(() => chance() - 0.5)
      await Promise.all(acts.map(act => act()))
      expect(await balances(), `seed ${seed}`).toMatchObject({
        payments: -4_000 * seed,
        'ngo:cerf': 2_467 * seed,
        'ngo:msf': 1_233 * seed,
      })
    }
    expect(await fixture.findings()).toEqual([])
  })
})
