import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { THEMES } from '#domain/themes.ts'
import type { Mission } from '#server/modules/content/snapshot.ts'
import { forgetVolunteering } from '#server/modules/gifts/cards/forget.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import type { StartVolunteering } from '#server/modules/payments/interface.ts'
import { createPayments, type PaymentsWithJobs } from '#server/modules/payments/payments.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { TEST_TERMS } from '#tests/builders/server.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../../support/payments-fixture.ts'

const MISSION: Mission = {
  id: 'mission-medical',
  title: inLanguages({ es: 'Echar una mano', en: 'Lend a hand', fr: 'Prêter main-forte' }),
  description: inLanguages({ es: 'Un día.', en: 'A day.', fr: 'Un jour.' }),
  organisationId: null,
}

const anInvitation: StartVolunteering = {
  packageId: 'inauguration package',
  price: 10_000,
  supportAmount: 80_000,
  currency: 'EUR',
  themeId: 'lebanon',
  sender: { kind: 'own', name: 'Íñigo' },
  mission: { kind: 'listed', id: 'mission-medical' },
  language: 'fr',
  termsVersion: TEST_TERMS,
  fulfilmentConsent: true,
}

let fixture: PaymentsFixture
let payments: PaymentsWithJobs
let listed: readonly Mission[] = [MISSION]
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  listed = [MISSION]
  payments = createPayments({ ...fixture.deps, missions: () => listed })
})
afterEach(() => fixture.close())

const volunteering = () => createVolunteering(fixture.deps)

async function start(changes: Partial<StartVolunteering> = {}): Promise<string> {
  const { url } = await payments.startVolunteering({ ...anInvitation, ...changes })
  return url.slice(url.lastIndexOf('/') + 1)
}

async function buy(changes: Partial<StartVolunteering> = {}, card?: string): Promise<string> {
  const sessionId = await start(changes)
  await fixture.pay(sessionId, card)
  return sessionId
}

const entries = () =>
  fixture.test.db.read(db =>
    db.selectFrom('ledger_entries').select(['account', 'amount', 'cause']).orderBy('account').execute(),
  )
const cards = () => fixture.test.db.read(db => db.selectFrom('volunteering_cards').selectAll().execute())
const jobs = (kind: string) =>
  fixture.test.db.read(db => db.selectFrom('jobs').selectAll().where('kind', '=', kind).execute())

describe('buying an invitation', () => {
  it('makes one card, one sale and one mail, however often and by whomever it is settled', async () => {
    const sessionId = await buy()
    const [first, second] = await Promise.all([
      payments.settleVolunteering(sessionId),
      payments.settleVolunteering(sessionId),
      fixture.deliver(),
    ])
    expect(second).toEqual(first)
    expect(await payments.settleVolunteering(`${sessionId}",`)).toEqual(first)
    expect(await cards()).toHaveLength(1)
    expect(await jobs('volunteering-confirmation')).toHaveLength(1)
    expect(await entries()).toEqual([
      { account: 'payments', amount: -90_000, cause: 'sale' },
      { account: 'support', amount: 63_200, cause: 'sale' },
      { account: 'tax', amount: 16_800, cause: 'sale' },
      { account: 'volunteering', amount: 10_000, cause: 'sale' },
    ])
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
  })

  it('keeps the mission’s name, so that it reads on when the operator has taken it down', async () => {
    const { key } = await payments.settleVolunteering(await buy())
    listed = []
    expect(await volunteering().open(key)).toMatchObject({
      senderName: 'Íñigo',
      theme: THEMES.lebanon,
      mission: { kind: 'listed', id: 'mission-medical', title: MISSION.title },
      answer: null,
    })
  })

  it.each([
    ['a price of its own', { price: 9_900 }],
    ['no price', { price: 0 }],
    ['a support amount between two places of the slider', { supportAmount: 80_001 }],
    ['more support than the slider reaches', { supportAmount: 440_000 }],
    ['a donation package', { packageId: 'their water', price: 5_000, supportAmount: 0 }],
  ])('refuses %s, and opens no payment', async (_, changes) => {
    await expect(start(changes)).rejects.toMatchObject({ code: 'price-not-listed' })
    expect(fixture.asked).toEqual([])
  })

  it('refuses the invitation sold as a donation', async () => {
    await expect(
      fixture.start({ packageId: 'inauguration package', ngoAmount: 10_000, supportAmount: 0 }),
    ).rejects.toMatchObject({ code: 'price-not-listed' })
  })

  it('refuses a mission that is gone', async () => {
    listed = []
    await expect(start()).rejects.toMatchObject({ code: 'mission-not-listed' })
    expect(fixture.asked).toEqual([])
  })

  it('gives one session for one press, and refuses the key for another invitation', async () => {
    const attemptKey = 'a key of sixteen characters'.replaceAll(' ', '-')
    const [first, second] = await Promise.all([start({ attemptKey }), start({ attemptKey })])
    expect(second).toBe(first)
    await expect(start({ attemptKey, mission: { kind: 'decide-later' } })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
  })

  it('never answers one kind of gift at the door of the other', async () => {
    const invitation = await buy()
    await expect(payments.settle(invitation)).rejects.toMatchObject({ code: 'payment-not-found' })
    const { sessionId } = await fixture.buy()
    await expect(payments.settleVolunteering(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    // Settled all the same: the money has come.
    expect(await fixture.counts()).toMatchObject({ paid: 2, cards: 1 })
    expect(await cards()).toHaveLength(1)
    expect(await fixture.findings()).toEqual([])
  })

  it('makes nothing of a payment that was declined', async () => {
    const sessionId = await buy({}, CARD.declined)
    await expect(payments.settleVolunteering(sessionId)).rejects.toMatchObject({
      code: 'payment-not-completed',
    })
    expect(await cards()).toEqual([])
  })

  it('is settled by the events alone, and by the reconciliation when they are lost', async () => {
    await buy()
    await fixture.deliver()
    expect(await cards()).toHaveLength(1)
    await buy({ mission: { kind: 'other', text: 'Un sábado juntos' } })
    await fixture.collectEvents()
    fixture.clock.advance(6 * 60_000)
    await payments.reconcile()
    expect(await cards()).toHaveLength(2)
    expect(await fixture.findings()).toEqual([])
  })

  it('keeps nothing that opens the card', async () => {
    const sessionId = await buy()
    const { key } = await payments.settleVolunteering(sessionId)
    await volunteering().answer(key, { answer: 'accept', tellGiver: true })
    const dump = await fixture.test.dump()
    for (const secret of [sessionId, key]) {
      expect(dump).not.toContain(secret)
      expect(fixture.logged.join()).not.toContain(secret)
    }
    for (const { payload } of [
      ...(await jobs('volunteering-confirmation')),
      ...(await jobs('volunteering-answer')),
    ])
      expect(payload).not.toContain('@')
  })
})

describe('the buyer’s mail, asked for again', () => {
  /** The first mail has gone out. */
  const sendAll = () =>
    fixture.test.db.transaction(trx =>
      trx.updateTable('jobs').set({ done_at: fixture.clock() }).where('done_at', 'is', null).execute(),
    )

  it('tells the buyer what was bought, and whether its mail has gone', async () => {
    const sessionId = await buy()
    expect(await payments.settleVolunteering(sessionId)).toMatchObject({
      email: 'buyer@mail.example',
      senderName: 'Íñigo',
      isConfirmationEmailSent: false,
      packageId: 'inauguration package',
      price: { amount: 10_000, currency: 'EUR' },
    })
    await sendAll()
    expect(await payments.settleVolunteering(sessionId)).toMatchObject({ isConfirmationEmailSent: true })
  })

  it('joins the one that waits, and is queued once more after it went, five times a day', async () => {
    const { cardId, key } = await payments.settleVolunteering(await buy())
    expect(await payments.requestInvitationMail({ cardId, key })).toEqual({ status: 'queued' })
    expect(await jobs('volunteering-confirmation')).toHaveLength(1)
    for (let n = 2; n <= 5; n++) {
      await sendAll()
      await payments.requestInvitationMail({ cardId, key })
      expect(await jobs('volunteering-confirmation')).toHaveLength(n)
    }
    await sendAll()
    await expect(payments.requestInvitationMail({ cardId, key })).rejects.toMatchObject({
      code: 'too-many-requests',
    })
    expect(new Set((await jobs('volunteering-confirmation')).map(({ payload }) => payload)).size).toBe(1)
  })

  it('is refused to whoever holds the key alone, as whoever is invited does, or the id alone', async () => {
    const { cardId, key } = await payments.settleVolunteering(await buy())
    const other = await payments.settleVolunteering(await buy())
    for (const wrong of [
      { cardId: other.cardId, key },
      { cardId, key: other.key },
      { cardId: key, key },
      { cardId, key: '' },
    ])
      await expect(payments.requestInvitationMail(wrong)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await jobs('volunteering-confirmation')).toHaveLength(2)
  })
})

describe('money that goes back', () => {
  const sums = async () => {
    const entries = await fixture.test.db.read(db =>
      db.selectFrom('ledger_entries').select(['account', 'amount']).execute(),
    )
    const all: Record<string, number> = {}
    for (const { account, amount } of entries) all[account] = (all[account] ?? 0) + amount
    return all
  }
  const refund = async (sessionId: string, amount?: number) => {
    const session = await fixture.stripe.checkout.sessions.retrieve(sessionId)
    await fixture.stripe.refunds.create({
      payment_intent: session.payment_intent as string,
      ...(amount !== undefined && { amount }),
    })
    await fixture.deliver()
  }

  it('revokes the card with everything given back; it then reads as one that does not exist', async () => {
    const sessionId = await buy()
    const { key } = await payments.settleVolunteering(sessionId)
    await refund(sessionId)
    expect(await cards()).toMatchObject([{ status: 'revoked' }])
    await expect(volunteering().open(key)).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(volunteering().answer(key, { answer: 'accept', tellGiver: false })).rejects.toMatchObject({
      code: 'card-not-found',
    })
    await expect(payments.settleVolunteering(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await fixture.findings()).toEqual([])
  })

  it('revokes nothing with a part given back, and tells the operator', async () => {
    const sessionId = await buy()
    const { key } = await payments.settleVolunteering(sessionId)
    await refund(sessionId, 1_000)
    expect(await volunteering().open(key)).toMatchObject({ answer: null })
    expect(fixture.alarms).toContain('payment-reversed-at-a-loss')
    expect(await fixture.findings()).toEqual([])
  })

  it('gives the card back when the refund fails', async () => {
    const sessionId = await buy({}, CARD.failingRefund)
    const { key } = await payments.settleVolunteering(sessionId)
    await refund(sessionId)
    fixture.clock.advance(60 * 60_000)
    await fixture.deliver()
    expect(await cards()).toMatchObject([{ status: 'active' }])
    expect(await volunteering().open(key)).toMatchObject({ senderName: 'Íñigo' })
    expect(await fixture.findings()).toEqual([])
  })

  it('goes on after a lost dispute over a part, which takes its share of the price, the support and the tax', async () => {
    const sessionId = await buy()
    const { key } = await payments.settleVolunteering(sessionId)
    const before = await sums()
    await fixture.disputePart(1_000)
    await fixture.deliver()
    expect(await cards()).toMatchObject([{ status: 'frozen' }])
    await fixture.decideDispute('lost')
    await fixture.deliver()
    expect(await volunteering().open(key)).toMatchObject({ answer: null })
    const after = await sums()
    expect(after.refunds).toBe(1_000)
    expect(after.losses ?? 0).toBe(0)
    const fell = (account: string) => (before[account] ?? 0) - (after[account] ?? 0)
    expect(fell('volunteering') + fell('support') + fell('tax')).toBe(1_000)
    expect(fell('volunteering')).toBeGreaterThan(0)
    expect(await fixture.findings()).toEqual([])
  })

  it('freezes the card while its payment is disputed', async () => {
    const sessionId = await buy({}, CARD.disputed)
    const { key } = await payments.settleVolunteering(sessionId)
    fixture.clock.advance(60 * 60_000)
    await fixture.deliver()
    expect(await cards()).toMatchObject([{ status: 'frozen' }])
    await expect(volunteering().open(key)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await fixture.findings()).toEqual([])
  })
})

describe('the recipient’s answer', () => {
  const aCard = async () => (await payments.settleVolunteering(await buy())).key

  it('is kept, and can be changed', async () => {
    const key = await aCard()
    expect(await volunteering().answer(key, { answer: 'accept', tellGiver: false })).toMatchObject({
      answer: 'accept',
      isTold: false,
    })
    await volunteering().answer(key, { answer: 'later', tellGiver: false })
    expect(await volunteering().open(key)).toMatchObject({ answer: 'later', isTold: false })
    expect(await jobs('volunteering-answer')).toEqual([])
  })

  it('reaches the giver only when the recipient says so, once for each answer', async () => {
    const key = await aCard()
    const tell = () => volunteering().answer(key, { answer: 'accept', tellGiver: true })
    expect(await Promise.all([tell(), tell(), tell()])).toMatchObject([
      { isTold: true },
      { isTold: true },
      { isTold: true },
    ])
    expect(await jobs('volunteering-answer')).toHaveLength(1)
    await volunteering().answer(key, { answer: 'no', tellGiver: true })
    expect(await jobs('volunteering-answer')).toHaveLength(2)
  })

  it('reaches the giver no second time when it comes back to what they heard last', async () => {
    const key = await aCard()
    await volunteering().answer(key, { answer: 'accept', tellGiver: true })
    await volunteering().answer(key, { answer: 'later', tellGiver: false })
    expect(await volunteering().answer(key, { answer: 'accept', tellGiver: true })).toMatchObject({
      isTold: true,
    })
    expect(await jobs('volunteering-answer')).toHaveLength(1)
  })

  it('can still be given when the giver has been forgotten, and then reaches nobody', async () => {
    const key = await aCard()
    const [card] = await cards()
    expect(await forgetVolunteering(fixture.test.db, card!.created_at)).toBe(0)
    expect(await forgetVolunteering(fixture.test.db, card!.created_at + 1)).toBe(1)
    expect(await forgetVolunteering(fixture.test.db, card!.created_at + 1)).toBe(0)
    expect(await cards()).toMatchObject([{ sender_name: null, email: null }])
    expect(await fixture.test.dump()).not.toContain('Íñigo')
    expect(await volunteering().answer(key, { answer: 'accept', tellGiver: true })).toMatchObject({
      senderName: null,
      answer: 'accept',
      isTold: false,
    })
    expect(await jobs('volunteering-answer')).toEqual([])
  })

  it('uses up no mail of the day where the mail was refused', async () => {
    const key = await aCard()
    const answers = ['accept', 'later', 'no'] as const
    for (let n = 0; n < 8; n++) {
      await volunteering().answer(key, { answer: answers[n % 3]!, tellGiver: true })
      await fixture.test.plant(
        "update jobs set done_at = 1, failed_reason = 'smtp-550' where kind = 'volunteering-answer'",
      )
    }
    expect(await jobs('volunteering-answer')).toHaveLength(8)
  })

  it('lets nobody write to the giver more than five times a day', async () => {
    const key = await aCard()
    const answers = ['accept', 'later', 'no'] as const
    for (let n = 0; n < 5; n++) await volunteering().answer(key, { answer: answers[n % 3]!, tellGiver: true })
    await expect(volunteering().answer(key, { answer: 'no', tellGiver: true })).rejects.toMatchObject({
      code: 'too-many-requests',
    })
    expect(await volunteering().open(key)).toMatchObject({ answer: 'later' })
    fixture.clock.advance(25 * 3_600_000)
    expect(await volunteering().answer(key, { answer: 'no', tellGiver: true })).toMatchObject({
      isTold: true,
    })
  })

  it.each(['', '-', 'a'.repeat(32), 'ABCDEFGH'.repeat(4), "' or 1=1 --"])(
    'is not taken from whoever holds no key (%s)',
    async key => {
      await aCard()
      await expect(volunteering().answer(key, { answer: 'accept', tellGiver: true })).rejects.toMatchObject({
        code: 'card-not-found',
      })
    },
  )

  it('is not taken with the key of a card with a credit, nor does an invitation’s key open one', async () => {
    const key = await aCard()
    const { privateKey } = await payments.settle((await fixture.buy()).sessionId)
    await expect(volunteering().open(privateKey)).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(fixture.cards.open(key, 'full')).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(fixture.cards.redeem(key, [{ ngoId: 'msf', points: 1 }])).rejects.toMatchObject({
      code: 'card-not-found',
    })
  })
})
