import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { GiftRow } from '#domain/card/gift-rows.ts'
import { DAY_MS } from '#domain/durations.ts'
import { clearPersons, forgetSome, forgetUnpaid } from '#server/modules/gifts/cards/forget.ts'
import { blankWords, blankWordsOfOrder } from '#server/modules/gifts/messages.ts'
import {
  forgetPrintedNames,
  forgetRowsOfOver,
  keepRows,
  notePrinted,
  rowsOfOrder,
} from '#server/modules/gifts/order-rows.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createPrints, factsOf } from '#server/modules/story/print/prints.ts'
import { createLog } from '#server/platform/log.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const ORDER_WORDS = 'Gracias a todo el equipo'
const ROWS: readonly GiftRow[] = [
  { name: 'Marta Soler', words: 'Para ti, Marta, con cariño' },
  { name: 'Øystein', words: null },
  { name: null, words: null },
  { name: null, words: 'Nadie lo sabe' },
]
const KEY = 'k'.repeat(32)

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const choice = { cards: ROWS.length, rows: ROWS, message: ORDER_WORDS }
const stored = () =>
  fixture.test.db.read(db => db.selectFrom('batch_rows').selectAll().orderBy('position').execute())

async function bought(changes: Parameters<PaymentsFixture['buy']>[0] = {}) {
  await fixture.buy({ ...choice, ...changes })
  await fixture.deliver()
  const cards = await fixture.test.db.read(db =>
    db.selectFrom('cards').selectAll().orderBy('position').execute(),
  )
  const keyOf = (n: number) => fixture.deps.keys.privateKey(cards[n]!.id, 1)
  return { order: cards[0]!.order_id!, cards, keyOf }
}

const tools = () => ({
  db: fixture.test.db,
  keys: fixture.deps.keys,
  clock: fixture.clock,
  siteUrl: 'https://x.example',
  siteName: () => 'Site',
})

describe('what an order of many says of each card', () => {
  it('is kept by the place of the card, and not at all where nothing is said', async () => {
    await fixture.start(choice)
    const [{ order_id: order } = { order_id: '' }] = await stored()
    expect(await fixture.test.db.read(db => rowsOfOrder(db, order))).toEqual([
      { position: 0, ...ROWS[0], printedAt: null },
      { position: 1, ...ROWS[1], printedAt: null },
      { position: 3, ...ROWS[3], printedAt: null },
    ])
  })

  it('is kept for five hundred cards', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({ name: `Name ${n}`, words: '好'.repeat(300) }))
    await fixture.start({ cards: 500, rows, attemptKey: KEY })
    await fixture.start({ cards: 500, rows, attemptKey: KEY })
    expect((await stored()).map(({ name }) => name)).toEqual(rows.map(({ name }) => name))
  })

  it('makes another purchase where a row differs, and the same one where none does', async () => {
    const first = await fixture.start({ ...choice, attemptKey: KEY })
    expect(await fixture.start({ ...choice, attemptKey: KEY })).toEqual(first)
    const rows = ROWS.with(1, { name: 'Other', words: null })
    await expect(fixture.start({ ...choice, rows, attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
    const { rows: _, ...without } = choice
    await expect(fixture.start({ ...without, attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
    expect(await stored()).toHaveLength(3)
  })

  it('is of as many cards as are bought, or refused', async () => {
    for (const cards of [1, 3, 5])
      await expect(fixture.start({ ...choice, cards })).rejects.toMatchObject({ code: 'invalid-fields' })
    const { order } = await bought()
    const empty = { name: null, words: null }
    const more = [...ROWS.map(() => empty), { name: 'Fifth', words: null }]
    await expect(fixture.test.db.transaction(trx => keepRows(trx, order, more))).rejects.toThrow(
      'no more rows than cards',
    )
    await fixture.test.plant(
      `insert into batch_rows (order_id, position, name) values ('${order}', 4, 'Fifth')`,
    )
    expect(await fixture.findings()).toEqual([{ rule: 'row-without-card', subject: `${order}/4` }])
  })

  it('stands on the screen of that card, and the words of the order where it says none', async () => {
    const { keyOf } = await bought()
    const words = (n: number) => fixture.cards.open(keyOf(n), 'full').then(({ message }) => message?.words)
    expect(await Promise.all([0, 1, 2, 3].map(words))).toEqual([
      ROWS[0]!.words,
      ORDER_WORDS,
      ORDER_WORDS,
      ROWS[3]!.words,
    ])
    const shown = JSON.stringify(await Promise.all([0, 1].map(n => fixture.cards.open(keyOf(n), 'full'))))
    expect(shown).not.toContain('Marta Soler')
    expect(shown).not.toContain('Øystein')
  })

  it('stands on the paper of that card, with the name of its recipient', async () => {
    const { keyOf } = await bought()
    expect(await factsOf(tools(), keyOf(0))).toMatchObject({
      recipientName: 'Marta Soler',
      message: ROWS[0]!.words,
    })
    const { text } = readPdf(await createPrints(tools()).sheetOf(keyOf(1)))
    expect(text).toContain('Un regalo para Øystein')
    expect(readPdf(await createPrints(tools()).sheetOf(keyOf(2))).text).toContain('Un regalo para ti')
  })

  it('is told by no letter: the one mail has the words of the order alone', async () => {
    const logged: string[] = []
    const sent: Message[] = []
    const log = createLog(line => void logged.push(line), fixture.clock)
    const { db } = fixture.test
    await bought()
    const worker = letterWorker({ db, clock: fixture.clock, log, keys: fixture.deps.keys }, sent)
    while ((await worker.runDue()) > 0);
    const texts = sent.map(({ text }) => text)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain(ORDER_WORDS)
    const everything = JSON.stringify([sent, logged, fixture.logged])
    for (const { name, words } of ROWS)
      for (const said of [name, words]) if (said) expect(everything).not.toContain(said)
  })

  it('is told the provider in no request', async () => {
    const asked: string[] = []
    fixture.between(async (request, next) => {
      asked.push(await request.clone().text())
      return next(request)
    })
    await bought()
    const all = decodeURIComponent(asked.join('\n').replaceAll('+', ' '))
    expect(all).toContain('quantity')
    for (const { name, words } of ROWS)
      for (const said of [name, words]) if (said) expect(all).not.toContain(said)
  })
})

describe('what an order of many says', () => {
  it('is blanked for one card, which does not say the words of the order instead', async () => {
    const { cards, keyOf } = await bought()
    const blank = (n: number) => fixture.test.db.transaction(trx => blankWords(trx, cards[n]!))
    const words = (n: number) => fixture.cards.open(keyOf(n), 'full').then(({ message }) => message?.words)
    expect(await blank(0)).toBe('card')
    expect(await blank(0)).toBeUndefined()
    expect([await words(0), await words(1), await words(3)]).toEqual([undefined, ORDER_WORDS, ROWS[3]!.words])
    expect(await blank(1)).toBe('order')
    expect([await words(1), await words(2), await words(3)]).toEqual([undefined, undefined, ROWS[3]!.words])
  })

  it('is blanked for all cards at once', async () => {
    const { order, keyOf } = await bought()
    const blank = () => fixture.test.db.transaction(trx => blankWordsOfOrder(trx, order))
    expect([await blank(), await blank()]).toEqual([true, false])
    for (const n of [0, 1, 2, 3]) expect((await fixture.cards.open(keyOf(n), 'full')).message).toBeNull()
    expect((await stored()).map(({ name }) => name)).toEqual(['Marta Soler', 'Øystein', null])
  })

  it('loses a name thirty days after it was first printed, and keeps the words', async () => {
    const { order, keyOf } = await bought()
    const { db } = fixture.test
    await createPrints(tools()).sheetOf(keyOf(0))
    const printed = fixture.clock()
    fixture.clock.advance(10 * DAY_MS)
    await db.transaction(trx => notePrinted(trx, order, fixture.clock()))
    expect(await forgetPrintedNames(db, printed + 30 * DAY_MS - 1)).toBe(0)
    expect(await forgetPrintedNames(db, printed + 30 * DAY_MS)).toBe(1)
    expect((await stored()).map(({ name, words }) => [name, words])).toEqual([
      [null, ROWS[0]!.words],
      ['Øystein', null],
      [null, ROWS[3]!.words],
    ])
    expect(await forgetPrintedNames(db, fixture.clock() + 30 * DAY_MS)).toBe(1)
    expect(await forgetPrintedNames(db, fixture.clock() + 300 * DAY_MS)).toBe(0)
  })

  it('goes with the time of its own card, whatever the others of the order do', async () => {
    const { keyOf } = await bought()
    await fixture.cards.redeem(keyOf(0), [{ ngoId: 'cerf', points: 10 }])
    const used = fixture.clock()
    const { db } = fixture.test
    const left = async () => (await stored()).map(({ position }) => position)
    await forgetSome(db, used, '')
    expect(await left()).toEqual([0, 1, 3])
    await forgetSome(db, used + 1, '')
    expect(await left()).toEqual([1, 3])
    // Of a card that says no person any more, too.
    await fixture.test.plant('update cards set email = null, sender_name = null')
    await fixture.cards.redeem(keyOf(3), [{ ngoId: 'cerf', points: 10 }])
    expect(await forgetRowsOfOver(db, fixture.clock())).toBe(0)
    expect(await forgetRowsOfOver(db, fixture.clock() + 1)).toBe(1)
    expect(await left()).toEqual([1])
  })

  it('goes when its giver is erased, and with an order that nobody paid', async () => {
    const { cards } = await bought()
    const { db } = fixture.test
    await db.transaction(trx => clearPersons(trx, 'donation', [cards[1]!]))
    expect(await stored()).toEqual([])
    await fixture.start({ cards: 2, rows: ROWS.slice(0, 2) })
    await fixture.test.plant(
      `update orders set status = 'expired', checkout_session_sealed = null where status = 'open'`,
    )
    await forgetUnpaid(db, fixture.clock())
    expect(await stored()).toHaveLength(2)
    await forgetUnpaid(db, fixture.clock() + DAY_MS)
    expect(await stored()).toEqual([])
  })
})
