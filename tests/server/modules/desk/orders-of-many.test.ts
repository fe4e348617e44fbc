import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Act } from '#domain/desk/acts.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createManyOrders } from '#server/modules/payments/many/many.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { aPress } from '#tests/builders/press.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

const [BEFORE, AFTER] = ['buyer@mail.example', 'right@mail.example']

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

const desk = () => deskOf(fixture)
let presses = 0
const act = (asked: Act) => desk().act(asked, aPress(`press ${presses++}`))
const pages = () => createManyOrders(fixture.deps)

/** An order of so many, paid; its first mail has gone. */
async function bought(cards: number) {
  const { sessionId } = await fixture.buy({ cards })
  const settled = await fixture.payments.settlePurchase(sessionId)
  if (!('manyKey' in settled)) throw new Error('An order of many')
  await mailsSent()
  return { id: settled.orderId, key: settled.manyKey, sessionId, cards: await cardsOf(settled.orderId) }
}
const cardsOf = (orderId: string) =>
  fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .select(['id', 'email', 'status'])
      .where('order_id', '=', orderId)
      .orderBy('position')
      .execute(),
  )
const emailsOf = async (orderId: string) => [...new Set((await cardsOf(orderId)).map(({ email }) => email))]
/** Sends what is due, and gives it. */
async function mailsSent(): Promise<Message[]> {
  const sent: Message[] = []
  const worker = letterWorker({ db: fixture.test.db, clock: fixture.clock, keys: fixture.deps.keys }, sent)
  await worker.runDue()
  return sent
}
async function remindAll(): Promise<void> {
  const { at } = await fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .select('remind_at as at')
      .where('remind_at', 'is not', null)
      .executeTakeFirstOrThrow(),
  )
  fixture.clock.set(at!)
  while ((await remindSome({ db: fixture.test.db, clock: fixture.clock })).looked > 0);
}

describe('the corrected address of an order of many', () => {
  it('is that of all its cards, and its page has moved to the new mailbox', async () => {
    const { id, key, sessionId, cards } = await bought(10)
    await act({ act: 'address', card: cards[6]!.id, email: ` ${AFTER} ` })
    expect(await emailsOf(id)).toEqual([AFTER])
    await expect(pages().open(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    await expect(fixture.payments.settlePurchase(sessionId)).rejects.toMatchObject({ code: 'links-by-mail' })
    const next = fixture.deps.keys.manyKey(id, 2)
    expect(await pages().open(id, next)).toMatchObject({ orderId: id, unused: { length: 10 } })
    const [mail, ...others] = await mailsSent()
    expect(others).toEqual([])
    expect(mail!.to).toBe(AFTER)
    expect(mail!.text).toContain(next)
    expect(await fixture.findings()).toEqual([])
  })

  it('lets no kind of mail reach the mailbox before, nor any link of its order', async () => {
    const { id, key, cards } = await bought(10)
    await act({ act: 'address', card: cards[6]!.id, email: AFTER })
    await createLostLinks(fixture.deps).request(BEFORE)
    await shop.withdrawals.state({ ...WORDS, email: BEFORE, order: '', language: 'en' })
    await shop.withdrawals.state({ ...WORDS, email: BEFORE, order: id, language: 'en' })
    await expect(pages().move(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    await pages().move(id, fixture.deps.keys.manyKey(id, 2))
    await act({ act: 'resend', card: cards[3]!.id })
    const sent = await mailsSent()
    await remindAll()
    sent.push(...(await mailsSent()))
    await createLostLinks(fixture.deps).request(AFTER)
    await shop.withdrawals.state({ ...WORDS, email: AFTER, order: '', language: 'en' })
    sent.push(...(await mailsSent()))
    expect(sent.map(({ to }) => to)).not.toContain(BEFORE)
    // The move, a reminder, the lost links and the links of withdrawals at the least.
    expect(sent.filter(({ to }) => to === AFTER).length).toBeGreaterThanOrEqual(4)
  })

  it('said again changes nothing, and puts right an order of which one card alone was corrected', async () => {
    const { id, cards } = await bought(3)
    await fixture.test.db.transaction(trx =>
      trx.updateTable('cards').set({ email: AFTER }).where('id', '=', cards[1]!.id).execute(),
    )
    await act({ act: 'address', card: cards[1]!.id, email: AFTER })
    expect(await emailsOf(id)).toEqual([AFTER])
    await act({ act: 'address', card: cards[2]!.id, email: AFTER })
    const page = await fixture.test.db.read(db =>
      db.selectFrom('many_pages').select('key_version').executeTakeFirstOrThrow(),
    )
    expect(page.key_version).toBe(2)
  })

  it('of two corrections at once, each moves the page, and one address stands on every card', async () => {
    const { id, cards } = await bought(5)
    await Promise.all([
      act({ act: 'address', card: cards[0]!.id, email: 'one@mail.example' }),
      act({ act: 'address', card: cards[4]!.id, email: 'other@mail.example' }),
    ])
    expect(await emailsOf(id)).toHaveLength(1)
    await expect(pages().open(id, fixture.deps.keys.manyKey(id, 2))).rejects.toMatchObject({
      code: 'payment-not-found',
    })
  })

  it('of a card that was bought alone is its own', async () => {
    const first = await fixture.buy()
    await fixture.payments.settle(first.sessionId)
    const second = await fixture.buy()
    await fixture.payments.settle(second.sessionId)
    const [one, other] = await fixture.test.db.read(db => db.selectFrom('cards').select(['id']).execute())
    await act({ act: 'address', card: one!.id, email: AFTER })
    const rows = await fixture.test.db.read(db => db.selectFrom('cards').select(['id', 'email']).execute())
    expect(rows.find(({ id }) => id === one!.id)?.email).toBe(AFTER)
    expect(rows.find(({ id }) => id === other!.id)?.email).toBe(BEFORE)
  })
})

describe('a hold from the Studio', () => {
  const statusesOf = async (orderId: string) => (await cardsOf(orderId)).map(({ status }) => status)

  it('is of all cards of the order that is named, and so is its end; each timeline tells of it', async () => {
    const { id, cards } = await bought(3)
    await act({ act: 'hold', card: id })
    expect(await statusesOf(id)).toEqual(['frozen', 'frozen', 'frozen'])
    for (const { id: card } of cards) {
      const file = await fixture.test.db.read(db => cardFile(db, card))
      expect(file?.many).toEqual({ cards: 3, toHold: 0, held: 3 })
      expect(file?.history.filter(({ details }) => details.startsWith('hold, in the Studio'))).toHaveLength(1)
    }
    await act({ act: 'release', card: id })
    expect(await statusesOf(id)).toEqual(['active', 'active', 'active'])
    expect(await fixture.findings()).toEqual([])
  })

  it('is of the one card that is named, and the file says how the others stand', async () => {
    const { id, cards } = await bought(3)
    await act({ act: 'hold', card: cards[1]!.id })
    expect(await statusesOf(id)).toEqual(['active', 'frozen', 'active'])
    const file = await fixture.test.db.read(db => cardFile(db, cards[0]!.id))
    expect(file?.many).toEqual({ cards: 3, toHold: 2, held: 1 })
  })

  it.each([
    ['dispute', 'disputed'],
    ['refund', 'refund-under-way'],
    ['withdrawal', 'withdrawal-under-way'],
  ])(
    'is not ended by the operator where it is of a %s, be a card named or its order',
    async (reason, rule) => {
      const { id, cards } = await bought(3)
      await fixture.test.plant(
        `insert into card_holds (card_id, reason, created_at) values ('${cards[1]!.id}', '${reason}', ${fixture.clock()})`,
      )
      for (const card of [cards[1]!.id, id])
        await expect(act({ act: 'release', card })).rejects.toMatchObject({
          code: 'act-refused',
          details: { fields: [{ path: 'act', rule }] },
        })
      // What the operator holds besides is released, and what else holds it stays.
      await act({ act: 'hold', card: id })
      await act({ act: 'release', card: id })
      const file = await fixture.test.db.read(db => cardFile(db, cards[1]!.id))
      expect([file?.holds, file?.many?.held]).toEqual([[reason], 0])
    },
  )

  it('is refused once all of the order is used, and not before', async () => {
    const { id, cards } = await bought(2)
    const use = (place: number) =>
      fixture.cards.redeem(fixture.deps.keys.privateKey(cards[place]!.id, 1), [{ ngoId: 'msf', points: 50 }])
    await use(0)
    await act({ act: 'hold', card: id })
    await act({ act: 'release', card: id })
    await use(1)
    await expect(act({ act: 'hold', card: id })).rejects.toMatchObject({
      details: { fields: [{ path: 'act', rule: 'used' }] },
    })
  })

  it('is carried out once for each press', async () => {
    const { id } = await bought(2)
    const press = aPress('one press for an order')
    expect(await desk().act({ act: 'hold', card: id }, press)).toMatchObject({ isRepeated: false })
    await act({ act: 'release', card: id })
    expect(await desk().act({ act: 'hold', card: id }, press)).toMatchObject({ isRepeated: true })
    expect(await statusesOf(id)).toEqual(['active', 'active'])
  })

  it('of a card that was bought alone is by its order too, and no other card stands in its file', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.payments.settle(sessionId)
    const [{ order_id: id } = { order_id: null }] = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('order_id').execute(),
    )
    await act({ act: 'hold', card: id! })
    expect(await statusesOf(id!)).toEqual(['frozen'])
    expect((await fixture.test.db.read(db => cardFile(db, id!)))?.many).toBeNull()
  })
})

describe('an act about one card', () => {
  it.each([
    ['new links', (card: string): Act => ({ act: 'links', card })],
    [
      'a refund',
      (card: string): Act => ({ act: 'refund', card, amount: 1, currency: 'EUR', left: 1, used: false }),
    ],
  ])('%s is refused where an order of many is named: nobody knows which card is meant', async (_, asked) => {
    const { id } = await bought(2)
    await expect(act(asked(id))).rejects.toMatchObject({
      code: 'act-refused',
      details: { fields: [{ path: 'act', rule: 'which-card' }] },
    })
    expect((await cardsOf(id)).map(({ status }) => status)).toEqual(['active', 'active'])
  })
})

describe('the mail of an order of many', () => {
  it('is asked for again by any of its cards, also where the first is held, and stands in the file of each', async () => {
    const { cards } = await bought(3)
    await act({ act: 'hold', card: cards[0]!.id })
    await act({ act: 'resend', card: cards[2]!.id })
    expect((await mailsSent()).map(({ to }) => to)).toEqual([BEFORE])
    for (const { id } of cards) {
      const file = await fixture.test.db.read(db => cardFile(db, id))
      expect(file?.history.filter(({ what }) => what === 'mail sent')).toHaveLength(2)
    }
  })

  it('goes to its buyer, also where the first card is forgotten before the others', async () => {
    const { id, key, cards } = await bought(3)
    await fixture.test.db.transaction(trx =>
      trx.updateTable('cards').set({ email: null }).where('id', '=', cards[0]!.id).execute(),
    )
    await pages().move(id, key)
    expect((await mailsSent()).map(({ to }) => to)).toEqual([BEFORE])
  })
})
