import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SHOWING_MS } from '#domain/card/showing.ts'
import { DAY_MS } from '#domain/durations.ts'
import { manyPath } from '#paths'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import type { Message } from '#server/modules/letters/message.ts'
import type { ManyOrders, PressedMany } from '#server/modules/payments/many/interface.ts'
import { createManyOrders } from '#server/modules/payments/many/many.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { NGOS, openPaymentsFixture, type PaymentsFixture, SITE } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
let many: ManyOrders
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  many = createManyOrders(fixture.deps)
})
afterEach(() => fixture.close())

/** Names a press. */
const press = (letter: string): string => letter.repeat(40)

/** An order of so many, paid, and the key of its page. */
async function bought(cards: number) {
  const { sessionId } = await fixture.buy({ cards })
  const settled = await fixture.payments.settlePurchase(sessionId)
  if (!('manyKey' in settled)) throw new Error('An order of many')
  return { id: settled.orderId, key: settled.manyKey, sessionId }
}
const keysOf = ({ shown }: PressedMany) => shown?.map(({ privateKey }) => privateKey) ?? []
const redeem = (key: string, ngoId: string = NGOS[0]) => fixture.cards.redeem(key, [{ ngoId, points: 50 }])
const opens = async (key: string): Promise<boolean> =>
  fixture.cards.open(key, 'full').then(
    () => true,
    () => false,
  )
const areOpen = (keys: readonly string[]) => Promise.all(keys.map(opens))
/** Sends what is due, and gives it. */
async function mailsSent(): Promise<Message[]> {
  const sent: Message[] = []
  const worker = letterWorker({ db: fixture.test.db, clock: fixture.clock, keys: fixture.deps.keys }, sent)
  await worker.runDue()
  return sent
}

describe('the page of an order of many', () => {
  it('is found where it has no page, since its buyer could not open it', async () => {
    const { id } = await bought(3)
    expect(await fixture.findings()).toEqual([])
    await fixture.test.plant('delete from many_pages')
    expect(await fixture.findings()).toEqual([{ rule: 'order-without-page', subject: id }])
  })

  it('opens by its own key alone, and every wrong one reads as missing', async () => {
    const { id, key } = await bought(3)
    const other = await bought(2)
    expect(await many.open(id, key)).toMatchObject({
      orderId: id,
      credit: { amount: 5_000, currency: 'EUR' },
      figures: { cards: 3, used: 0, waiting: 3 },
      unused: [{ number: 1 }, { number: 2 }, { number: 3 }],
      shownAt: null,
    })
    const { keys } = fixture.deps
    for (const wrong of [other.key, keys.withdrawalKey(id, 1), keys.manyKey(id, 2), '', 'a'.repeat(32)]) {
      await expect(many.open(id, wrong)).rejects.toMatchObject({ code: 'payment-not-found' })
      await expect(many.show(id, wrong, press('a'))).rejects.toMatchObject({ code: 'payment-not-found' })
      await expect(many.renew(id, wrong, press('a'), 'all')).rejects.toMatchObject({
        code: 'payment-not-found',
      })
      await expect(many.shownTo(id, wrong, press('a'))).rejects.toMatchObject({ code: 'payment-not-found' })
      await expect(many.move(id, wrong)).rejects.toMatchObject({ code: 'payment-not-found' })
    }
    expect((await many.open(id, key)).shownAt).toBeNull()
  })

  it('an order of one has none', async () => {
    const { sessionId } = await fixture.buy()
    const settled = await fixture.payments.settlePurchase(sessionId)
    expect(settled).toHaveProperty('privateKey')
    const { order_id: id } = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('order_id').executeTakeFirstOrThrow(),
    )
    await expect(many.open(id!, fixture.deps.keys.manyKey(id!, 1))).rejects.toMatchObject({
      code: 'payment-not-found',
    })
  })

  it('is what the payment’s session leads to for a day, and no longer', async () => {
    const { id, key, sessionId } = await bought(2)
    expect(await fixture.payments.settlePurchase(sessionId)).toEqual({ orderId: id, manyKey: key })
    fixture.clock.advance(DAY_MS)
    await expect(fixture.payments.settlePurchase(sessionId)).rejects.toMatchObject({ code: 'links-by-mail' })
  })

  it('keeps no key: the database has its version alone', async () => {
    const { key } = await bought(2)
    const row = await fixture.test.db.read(db =>
      db.selectFrom('many_pages').selectAll().executeTakeFirstOrThrow(),
    )
    expect(JSON.stringify(row)).not.toContain(key)
  })

  it('with another address the one before is dead, and the buyer alone is told the new one', async () => {
    const { id, key, sessionId } = await bought(2)
    await mailsSent()
    await many.move(id, key)
    await expect(many.open(id, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    await expect(fixture.payments.settlePurchase(sessionId)).rejects.toMatchObject({ code: 'links-by-mail' })
    const [mail, ...others] = await mailsSent()
    expect(others).toEqual([])
    expect(mail!.to).toBe('buyer@mail.example')
    const next = fixture.deps.keys.manyKey(id, 2)
    expect(mail!.text).toContain(SITE + manyPath(id, next))
    expect(await many.open(id, next)).toMatchObject({ orderId: id })
  })
})

describe('the links of its cards', () => {
  it('are shown once, to the press that came first, each of its own card', async () => {
    const { id, key } = await bought(3)
    const first = await many.show(id, key, press('a'))
    expect(first.shown?.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(await areOpen(keysOf(first))).toEqual([true, true, true])
    expect(new Set(keysOf(first)).size).toBe(3)
    expect((await many.show(id, key, press('b'))).shown).toBeUndefined()
    expect((await many.shownTo(id, key, press('b'))).shown).toBeUndefined()
    expect(keysOf(await many.shownTo(id, key, press('a')))).toEqual(keysOf(first))
  })

  it('a reload and the files are of the same showing, for an hour', async () => {
    const { id, key } = await bought(2)
    const first = keysOf(await many.show(id, key, press('a')))
    fixture.clock.advance(SHOWING_MS - 1)
    expect(keysOf(await many.show(id, key, press('a')))).toEqual(first)
    fixture.clock.advance(1)
    expect((await many.show(id, key, press('a'))).shown).toBeUndefined()
    expect((await many.shownTo(id, key, press('a'))).shown).toBeUndefined()
  })

  it('two first presses at once: one is shown them', async () => {
    const { id, key } = await bought(2)
    const both = await Promise.all(['a', 'b'].map(letter => many.show(id, key, press(letter))))
    expect(both.filter(({ shown }) => shown !== undefined)).toHaveLength(1)
  })

  it('made anew, the earlier ones of every unused card are dead; a used card stays as it is', async () => {
    const { id, key } = await bought(3)
    const [used, ...old] = keysOf(await many.show(id, key, press('a')))
    await redeem(used!)
    const renewed = await many.renew(id, key, press('b'), 'all')
    expect(renewed.shown?.map(({ number }) => number)).toEqual([2, 3])
    expect(await areOpen(old)).toEqual([false, false])
    expect(await areOpen(keysOf(renewed))).toEqual([true, true])
    expect((await many.shownTo(id, key, press('a'))).shown).toBeUndefined()
    expect(await fixture.findings()).toEqual([])
  })

  it('a press to make them anew that comes again makes nothing again', async () => {
    const { id, key } = await bought(2)
    await many.show(id, key, press('a'))
    const once = keysOf(await many.renew(id, key, press('b'), 'all'))
    expect(keysOf(await many.renew(id, key, press('b'), 'all'))).toEqual(once)
    expect(await areOpen(once)).toEqual([true, true])
  })

  it('of one card made anew, the others stay, and are not shown with it', async () => {
    const { id, key } = await bought(3)
    const old = keysOf(await many.show(id, key, press('a')))
    const renewed = await many.renew(id, key, press('b'), 2)
    expect(renewed.shown?.map(({ number }) => number)).toEqual([2])
    expect(await areOpen(old)).toEqual([true, false, true])
    expect(keysOf(await many.shownTo(id, key, press('b')))).toHaveLength(1)
  })

  it('a used card has none to make anew, nor has a number that the order does not have', async () => {
    const { id, key } = await bought(2)
    const [used] = keysOf(await many.show(id, key, press('a')))
    await redeem(used!)
    for (const number of [1, 3, 0])
      await expect(many.renew(id, key, press('b'), number)).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('refuses a press that could be guessed', async () => {
    const { id, key } = await bought(2)
    for (const guessed of ['', 'a', press('g')])
      await expect(many.show(id, key, guessed)).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('a card whose seal another hand has broken is not shown, and the operator is told', async () => {
    const { id, key } = await bought(2)
    await bought(2)
    await fixture.test.db.transaction(trx =>
      trx
        .updateTable('cards')
        .set({ credit: 1 })
        .where('order_id', '=', id)
        .where('position', '=', 1)
        .execute(),
    )
    const { shown } = await many.show(id, key, press('a'))
    expect(shown?.map(({ number }) => number)).toEqual([1])
    expect(fixture.alarms).toContain('payment-not-ours')
  })
})

describe('what became of them', () => {
  it('is told of five used cards on, in whole groups, and of no card', async () => {
    const { id, key } = await bought(7)
    const keys = keysOf(await many.show(id, key, press('a')))
    for (const [n, each] of keys.slice(0, 4).entries()) await redeem(each, NGOS[n % 2])
    expect((await many.open(id, key)).figures).toMatchObject({
      used: 4,
      waiting: 3,
      told: 0,
      organisations: [],
    })
    await redeem(keys[4]!, NGOS[2])
    const five = (await many.open(id, key)).figures
    expect(five.organisations.reduce((sum, { amount }) => sum + amount, 0)).toBe(25_000)
    await redeem(keys[5]!, NGOS[2])
    expect((await many.open(id, key)).figures).toMatchObject({
      used: 6,
      waiting: 1,
      told: 5,
      organisations: five.organisations,
    })
  })
})

describe('the mails to its buyer', () => {
  it('are one for the order, with the address of its page and the link of no card', async () => {
    const { id, key } = await bought(4)
    const keys = keysOf(await many.show(id, key, press('a')))
    const [mail, ...others] = await mailsSent()
    expect(others).toEqual([])
    expect(mail!.text).toContain(SITE + manyPath(id, key))
    expect(mail!.text).toContain('200,00')
    for (const each of keys) expect(mail!.text).not.toContain(each)
  })

  it('a reminder is one for the order, and says how many are left; none once all were used', async () => {
    const { id, key } = await bought(25)
    await mailsSent()
    const [used] = keysOf(await many.show(id, key, press('a')))
    await redeem(used!)
    expect(await mailsSent()).toEqual([])
    const { remind_at: at } = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('remind_at').where('position', '=', 1).executeTakeFirstOrThrow(),
    )
    fixture.clock.set(at!)
    while ((await remindSome({ db: fixture.test.db, clock: fixture.clock })).looked > 0);
    const [mail, ...others] = await mailsSent()
    expect(others).toEqual([])
    expect(mail!.text).toContain('24')
    expect(mail!.text).toContain(SITE + manyPath(id, key))
  })

  it('no letter tells that one of them was used, and its recipient is not asked to tell', async () => {
    const { id, key } = await bought(2)
    await mailsSent()
    const [used] = keysOf(await many.show(id, key, press('a')))
    const { receiptKey } = await redeem(used!)
    expect((await fixture.cards.receipt(receiptKey!)).answer).toBe('closed')
    fixture.clock.advance(3 * DAY_MS)
    expect(await mailsSent()).toEqual([])
  })

  it('what nobody used is told of in one letter, by organisation', async () => {
    await bought(12)
    await mailsSent()
    const { end } = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('auto_donate_at as end').limit(1).executeTakeFirstOrThrow(),
    )
    fixture.clock.set(end)
    const { db } = fixture.test
    const tools = {
      db,
      keys: fixture.deps.keys,
      clock: fixture.clock,
      draw: () => 1,
      listedNgoIds: () => NGOS,
    }
    while ((await autoDonateSome(tools)).looked > 0);
    expect(await mailsSent()).toEqual([])
    fixture.clock.advance(DAY_MS)
    const [mail, ...others] = await mailsSent()
    expect(others).toEqual([])
    expect(mail!.text).toContain(`${NGOS[1]} in es`)
    expect(mail!.text).toContain('600')
  })

  it('whoever asks for lost links is led to the page of the order', async () => {
    const { id, key } = await bought(3)
    await mailsSent()
    const keys = keysOf(await many.show(id, key, press('a')))
    await createLostLinks(fixture.deps).request('buyer@mail.example')
    const [mail] = await mailsSent()
    expect(mail!.text).toContain(SITE + manyPath(id, key))
    for (const each of keys) expect(mail!.text).not.toContain(each)
  })

  it('no log has a key', async () => {
    const { id, key } = await bought(3)
    const shown = await many.show(id, key, press('a'))
    await mailsSent()
    const text = fixture.logged.join('\n')
    for (const each of [key, ...keysOf(shown)]) expect(text).not.toContain(each)
  })
})
