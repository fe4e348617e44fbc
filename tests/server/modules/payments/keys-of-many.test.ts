import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import type { Act } from '#domain/desk/acts.ts'
import { DAY_MS } from '#domain/durations.ts'
import { certificatePath, manyPath, withdrawalPath } from '#paths'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { actOnInvoice } from '#server/modules/payments/invoices/acts.ts'
import { createInvoices } from '#server/modules/payments/invoices/open.ts'
import type { PressedMany } from '#server/modules/payments/many/interface.ts'
import { createManyOrders } from '#server/modules/payments/many/many.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { aPress } from '#tests/builders/press.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { interposed } from '../../../support/interposed.ts'
import { aStart, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

const BUYER = 'buyer@mail.example'
const AINA = { name: 'Aina Ferrer', document: '12345678Z', address: 'Carrer Major 1' }
const TO = { name: 'Escola del Mar', document: 'F-08123456', address: 'Carrer de Mar 3', email: BUYER }

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

const pages = () => createManyOrders(fixture.deps)
const certificates = () => createCertificates({ ...shop.parts, market: () => ({ receipts: 'own' }) })
const invoices = () => createInvoices(fixture.deps)
const press = (letter: string): string => letter.repeat(40)

interface Bought {
  readonly id: string
  /** Of the page. */
  readonly page: string
  /** To withdraw. */
  readonly purchase: string
}

/** An order of so many, paid at the provider, with what its first mail leads to. */
async function bought(cards: number): Promise<Bought & { readonly sessionId: string }> {
  const { sessionId } = await fixture.buy({ cards })
  const settled = await fixture.payments.settlePurchase(sessionId)
  if (!('manyKey' in settled)) throw new Error('An order of many')
  const { orderId: id, manyKey: page } = settled
  return { id, page, purchase: (await keyInMail(id)) ?? '', sessionId }
}

/** An order of so many by invoice, whose mailbox was put right before it was paid. */
async function invoiced(cards: number) {
  const { orderId: id, key: first } = await fixture.payments.startInvoice({
    ...aStart,
    cards,
    invoice: { ...TO, email: 'mistyped@mail.example' },
  })
  const act = (asked: Parameters<typeof actOnInvoice>[2]) =>
    fixture.test.db.transaction(trx => actOnInvoice(trx, fixture.deps, asked))
  await act({ act: 'address', order: id, email: BUYER })
  const pay = () =>
    act({ act: 'paid', order: id, amount: cards * 6_500, paidOn: dayInMadrid(fixture.clock()) })
  return { id, first, pay }
}

/** Sends what is due, and gives it. */
async function mailsSent(): Promise<Message[]> {
  const sent: Message[] = []
  const worker = letterWorker({ db: fixture.test.db, clock: fixture.clock, keys: fixture.deps.keys }, sent)
  await worker.runDue()
  return sent
}
const keyIn = (text: string, path: string) =>
  new RegExp(`${path.replaceAll('/', '\\/')}([a-z2-7]+)`).exec(text)?.[1]
/** The key to withdraw in the newest mail that is due. */
const keyInMail = async (id: string) => keyIn((await mailsSent()).at(-1)?.text ?? '', withdrawalPath(id, ''))

const opens = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'payment-not-found' })
      return false
    },
  )
/** Which doors of an order a key of its purchase opens. */
const doors = async (id: string, key: string) => ({
  withdrawal: await opens(shop.withdrawals.open(id, key)),
  certificate: await opens(certificates().open(id, key)),
})
const ALL = { withdrawal: true, certificate: true }
const NONE = { withdrawal: false, certificate: false }

const keysOf = ({ shown }: PressedMany) => shown?.map(({ privateKey }) => privateKey) ?? []
const redeem = (key: string) => fixture.cards.redeem(key, [{ ngoId: NGOS[0], points: 50 }])
/** One card is used, and all the others get new links. */
async function useOneAndRenewAll({ id, page }: Bought): Promise<void> {
  const [used] = keysOf(await pages().show(id, page, press('a')))
  await redeem(used!)
  await pages().renew(id, page, press('b'), 'all')
}
let presses = 0
const act = (asked: Act) => deskOf(fixture).act(asked, aPress(`press ${presses++}`))
const firstCard = async () => {
  const { id } = await fixture.test.db.read(db =>
    db.selectFrom('cards').select('id').orderBy('position').limit(1).executeTakeFirstOrThrow(),
  )
  return id
}

describe('the keys of an order of many', () => {
  it('of before withdraw nothing where the page moves while somebody who has them waits', async () => {
    const { db } = fixture.test
    const elsewhere = createManyOrders({ ...fixture.deps, db: await fixture.test.another() })
    // On SQLite whoever has begun is done before the page moves.
    const points = db.engine === 'postgres' ? [1, 2, 3, 4] : [0]
    for (const point of points) {
      const order = await bought(2)
      let met = 0
      const rival = interposed(db, async () => {
        if (met++ === point) await elsewhere.move(order.id, order.page)
      })
      await expect(shop.over(rival).confirm(order.id, order.purchase, WORDS)).rejects.toMatchObject({
        code: 'payment-not-found',
      })
      const cards = await db.read(reader =>
        reader.selectFrom('cards').select('status').where('order_id', '=', order.id).execute(),
      )
      expect(cards).toEqual([{ status: 'active' }, { status: 'active' }])
      await mailsSent()
    }
  })

  it('of before open nothing once the page has moved, also where a card was used and all others renewed', async () => {
    const order = await bought(4)
    expect(await doors(order.id, order.purchase)).toEqual(ALL)
    await useOneAndRenewAll(order)
    await pages().move(order.id, order.page)
    expect(await doors(order.id, order.purchase)).toEqual(NONE)
    expect(await opens(pages().open(order.id, order.page))).toBe(false)
    const stolen = shop.withdrawals.confirm(order.id, order.purchase, WORDS)
    expect(await opens(stolen)).toBe(false)
    expect(await opens(certificates().make(order.id, order.purchase, AINA))).toBe(false)
    expect(await shop.rowOf(order.id)).toBeUndefined()
    // The session of the payment leads there no more either.
    expect(await shop.withdrawals.keyOfSession(order.sessionId)).toBeUndefined()
    const next = (await keyInMail(order.id))!
    expect(await doors(order.id, next)).toEqual(ALL)
  })

  it('of before open nothing for whoever has any version of any card, however often links were made anew', async () => {
    const order = await bought(3)
    await useOneAndRenewAll(order)
    for (const letter of ['c', 'd', 'e', 'f']) await pages().renew(order.id, order.page, press(letter), 3)
    // As a mail of a program from before may have told it.
    const told = [1, 2, 3, 4, 5, 6].map(version => fixture.deps.keys.withdrawalKey(order.id, version))
    await pages().move(order.id, order.page)
    for (const key of told) expect(await doors(order.id, key)).toEqual(NONE)
    expect(await doors(order.id, (await keyInMail(order.id))!)).toEqual(ALL)
  })

  it('in the newest mail work though every card has new links', async () => {
    const order = await bought(3)
    await pages().show(order.id, order.page, press('a'))
    await pages().renew(order.id, order.page, press('b'), 'all')
    expect(await doors(order.id, order.purchase)).toEqual(ALL)
    await act({ act: 'links', card: await firstCard() })
    expect(await keyInMail(order.id)).toBe(order.purchase)
    expect(await doors(order.id, order.purchase)).toEqual(ALL)
    expect((await pages().open(order.id, order.page)).withdrawalKey).toBe(order.purchase)
    expect(await shop.withdrawals.keyOfSession(order.sessionId)).toEqual({
      orderId: order.id,
      key: order.purchase,
    })
    fixture.clock.advance(DAY_MS)
    expect(await shop.withdrawals.keyOfSession(order.sessionId)).toBeUndefined()
  })

  it('are the same ones in every mail, whichever of its cards the mail is about', async () => {
    const order = await bought(3)
    await useOneAndRenewAll(order)
    await pages().move(order.id, order.page)
    const page = fixture.deps.keys.manyKey(order.id, 2)
    const { withdrawalKey: current } = await pages().open(order.id, page)
    // The first card is forgotten before the others: the mails go by the next one, whose links are newer.
    await fixture.test.db.transaction(trx =>
      trx.updateTable('cards').set({ email: null }).where('position', '=', 0).execute(),
    )
    const sent = await mailsSent()
    const { at } = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('remind_at as at').where('position', '=', 1).executeTakeFirstOrThrow(),
    )
    await shop.withdrawals.state({ ...WORDS, email: BUYER, order: order.id, language: 'en' })
    sent.push(...(await mailsSent()))
    await shop.withdrawals.confirm(order.id, current, WORDS, [2])
    sent.push(...(await mailsSent()))
    fixture.clock.set(at!)
    while ((await remindSome({ db: fixture.test.db, clock: fixture.clock })).looked > 0);
    sent.push(...(await mailsSent()))
    await createLostLinks(fixture.deps).request(BUYER)
    sent.push(...(await mailsSent()))
    const told = sent.map(({ text }) => keyIn(text, withdrawalPath(order.id, '')))
    // Of the move, the withdrawal, the reminder and the lost links at the least.
    expect(told.filter(key => key === current).length).toBeGreaterThanOrEqual(4)
    for (const { text } of sent) {
      for (const path of [withdrawalPath(order.id, ''), certificatePath(order.id, '')])
        expect([undefined, current]).toContain(keyIn(text, path))
      expect([undefined, page]).toContain(keyIn(text, manyPath(order.id, '')))
    }
  })

  it('of before open nothing once the operator has corrected its address', async () => {
    const order = await bought(3)
    await useOneAndRenewAll(order)
    await act({ act: 'address', card: await firstCard(), email: 'right@mail.example' })
    expect(await doors(order.id, order.purchase)).toEqual(NONE)
    expect(await doors(order.id, (await keyInMail(order.id))!)).toEqual(ALL)
  })

  it('are those of its first card where an earlier program wrote the page, until the page moves', async () => {
    const order = await bought(3)
    const { keys } = fixture.deps
    await pages().show(order.id, order.page, press('a'))
    await pages().renew(order.id, order.page, press('b'), 1)
    await fixture.test.plant('update many_pages set purchase_key_version = null')
    expect(await fixture.findings()).toEqual([])
    expect(await doors(order.id, keys.withdrawalKey(order.id, 2))).toEqual(ALL)
    expect((await pages().open(order.id, order.page)).withdrawalKey).toBe(keys.withdrawalKey(order.id, 2))
    expect(await doors(order.id, order.purchase)).toEqual(NONE)
    await pages().move(order.id, order.page)
    for (const version of [1, 2])
      expect(await doors(order.id, keys.withdrawalKey(order.id, version))).toEqual(NONE)
    expect(await doors(order.id, keys.withdrawalKey(order.id, 3))).toEqual(ALL)
    expect(await keyInMail(order.id)).toBe(keys.withdrawalKey(order.id, 3))
  })

  it('die with the links of a card that was bought alone, as before', async () => {
    const { orderId, cardId } = await shop.buy()
    const { keys } = fixture.deps
    expect(await doors(orderId, keys.withdrawalKey(orderId, 1))).toEqual(ALL)
    await act({ act: 'links', card: cardId })
    expect(await doors(orderId, keys.withdrawalKey(orderId, 1))).toEqual(NONE)
    expect(await doors(orderId, keys.withdrawalKey(orderId, 2))).toEqual(ALL)
    expect(await keyInMail(orderId)).toBe(keys.withdrawalKey(orderId, 2))
  })
})

describe('the keys of an invoice', () => {
  it('that was corrected before it was paid are those of its order, and of the mails about it', async () => {
    const { id, first, pay } = await invoiced(3)
    const corrected = fixture.deps.keys.withdrawalKey(id, 2)
    expect(await opens(invoices().open(id, first))).toBe(false)
    expect(await opens(invoices().open(id, corrected))).toBe(true)
    await mailsSent()
    await pay()
    expect(await keyInMail(id)).toBe(corrected)
    expect(await doors(id, corrected)).toEqual(ALL)
    expect(await opens(invoices().open(id, corrected))).toBe(true)
    expect(await opens(invoices().open(id, first))).toBe(false)
    expect(await doors(id, first)).toEqual(NONE)
  })

  it('open nothing once the page of its order has moved', async () => {
    const { id, pay } = await invoiced(3)
    await pay()
    const before = { id, page: fixture.deps.keys.manyKey(id, 1), purchase: (await keyInMail(id))! }
    await useOneAndRenewAll(before)
    expect(await opens(invoices().open(id, before.purchase))).toBe(true)
    await pages().move(id, before.page)
    expect(await opens(invoices().open(id, before.purchase))).toBe(false)
    expect(await doors(id, before.purchase)).toEqual(NONE)
    const next = (await keyInMail(id))!
    expect(await opens(invoices().open(id, next))).toBe(true)
    expect(await doors(id, next)).toEqual(ALL)
    expect((await pages().open(id, fixture.deps.keys.manyKey(id, 2))).withdrawalKey).toBe(next)
  })
})
