import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import type { InvoiceAct } from '#domain/invoice/invoice.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { isProblem } from '#domain/problems.ts'
import type { Chosen } from '#domain/withdrawal/choice.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import { find } from '#server/modules/desk/find.ts'
import { createInvoiceDesk } from '#server/modules/desk/invoice-desk.ts'
import { createCardKeys, standingKeysOf } from '#server/modules/gifts/cards/keys.ts'
import { ordersMovedOtherwise } from '#server/modules/ledger/orders-moved.ts'
import type { StartInvoice } from '#server/modules/payments/interface.ts'
import { actOnInvoice } from '#server/modules/payments/invoices/acts.ts'
import {
  forgetInvoiced,
  forgetInvoiceMails,
  forgetInvoicesOf,
} from '#server/modules/payments/invoices/forget.ts'
import { createInvoices, listInvoices } from '#server/modules/payments/invoices/open.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import { positions } from '#server/modules/treasury/reports.ts'
import { count } from '#tests/support/counts.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

/** Of the steps at which a process is killed, one in so many, or each. */
const STRIDE = count({ usual: 9, long: 1 })
/** 50 € of credit and 15 € of support for each card. */
const WHOLE = 6_500
const TO = {
  name: 'Escola del Mar, SCCL',
  document: 'F-08123456',
  address: 'Carrer de Mar 3, Barcelona',
  email: 'compres@escola.example',
} as const

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

let presses = 0
const press = () => ({ key: `press-${++presses}`, person: null })
const desk = (db = fixture.test.db) =>
  createInvoiceDesk({
    ...fixture.deps,
    db,
    list: reader => listInvoices(reader, fixture.deps.keys),
    carryOut: (trx, asked) => actOnInvoice(trx, fixture.deps, asked),
  })
const pages = () => createInvoices(fixture.deps)
const order = (changes: Partial<StartInvoice> = {}) =>
  fixture.payments.startInvoice({ ...aStart, cards: 3, invoice: TO, ...changes })
const today = () => dayInMadrid(fixture.clock())
const act = (asked: InvoiceAct) => desk().act(asked, press())
const pay = (orderId: string, amount = 3 * WHOLE) =>
  act({ act: 'paid', order: orderId, amount, paidOn: today() })
const ruleOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) =>
      isProblem(error) ? (error.details.fields?.[0]?.rule ?? error.code) : Promise.reject(error),
  )
const states = async (orderId: string) => {
  const rows = await fixture.test.db.read(db =>
    db.selectFrom('cards').select('status').where('order_id', '=', orderId).orderBy('position').execute(),
  )
  return rows.map(({ status }) => status)
}
const withdraw = (orderId: string, chosen?: Chosen) =>
  shop.withdrawals.confirm(orderId, fixture.deps.keys.withdrawalKey(orderId, 1), WORDS, chosen)
const write = (statement: string) => fixture.test.plant(statement)

describe('an invoice', () => {
  it('is of what the cards cost, has the next number, and asks nothing of the provider', async () => {
    const { orderId, key } = await order()
    expect(await pages().open(orderId, key)).toMatchObject({
      number: expect.stringMatching(/^P\d{4}-000001-[0-9A-Z]{4}$/),
      standing: 'open',
      cards: 3,
      credit: { amount: 5_000 },
      total: { amount: 3 * WHOLE, currency: 'EUR' },
      to: { name: TO.name, document: TO.document, address: TO.address },
      maskedAddress: 'c…s@escola.example',
      paidOn: null,
    })
    const second = await order({ cards: 2 })
    expect((await pages().open(second.orderId, second.key)).number).toMatch(/-000002-/)
    expect(fixture.asked).toEqual([])
    expect(await states(orderId)).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('is one for each press, also pressed twice at once on two servers', async () => {
    const asked = { attemptKey: 'a-press-of-somebody' }
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    const made = await Promise.all(
      [fixture.payments, other, fixture.payments, other].map(each =>
        each.startInvoice({ ...aStart, cards: 3, invoice: TO, ...asked }),
      ),
    )
    expect(new Set(made.map(({ orderId }) => orderId)).size).toBe(1)
    const otherwise = order({ ...asked, invoice: { ...TO, name: 'Somebody else' } })
    await expect(otherwise).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(fixture.payments.startDonation({ ...aStart, cards: 3, ...asked })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
    expect(await desk().list()).toHaveLength(1)
    expect(await fixture.findings()).toEqual([])
  })

  it('opens by its key alone, and is of no single card', async () => {
    const { orderId, key } = await order()
    const other = await order()
    for (const wrong of [other.key, `${key}x`, ''])
      await expect(pages().open(orderId, wrong)).rejects.toMatchObject({ code: 'payment-not-found' })
    await expect(order({ cards: 1 })).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('makes all cards once it is paid, as one sale, with one mail that leads to their page', async () => {
    const { orderId, key } = await order()
    await fixture.payments.reconcile()
    expect(await pay(orderId)).toEqual({ isRepeated: false })
    expect(await states(orderId)).toEqual(['active', 'active', 'active'])
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 3, sales: 3, mails: 1 })
    expect(await shop.balances()).toMatchObject({ bank: -3 * WHOLE, cards: 15_000 })
    expect((await shop.balances()).payments).toBeUndefined()
    expect(await fixture.test.db.snapshot(positions)).toMatchObject([
      { currency: 'EUR', atProvider: 0, onItsWay: 0, paidOut: 0, byInvoice: 3 * WHOLE, atBank: 3 * WHOLE },
    ])
    expect(await pages().open(orderId, key)).toMatchObject({ standing: 'paid', paidOn: today() })
    const [card] = await fixture.test.db.read(db => db.selectFrom('cards').select(['email', 'id']).execute())
    expect(card?.email).toBe(TO.email)
    expect(fixture.asked).toEqual([])
    expect(fixture.alarms).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('is paid once, however often and from wherever it is said', async () => {
    const { orderId } = await order()
    const other = desk(await fixture.test.another())
    const asked = { act: 'paid', order: orderId, amount: 3 * WHOLE, paidOn: today() } as const
    const said = await Promise.all(
      [desk(), other, desk(), other].map(each => ruleOf(each.act(asked, press()))),
    )
    expect(said.filter(each => each === 'done')).toHaveLength(1)
    expect(said.filter(each => each === 'already-paid')).toHaveLength(3)
    const same = press()
    const second = await order()
    const paid = { ...asked, order: second.orderId }
    await desk().act(paid, same)
    expect(await other.act(paid, same)).toEqual({ isRepeated: true })
    expect(await fixture.counts()).toMatchObject({ paid: 2, cards: 6, sales: 6, mails: 2 })
    expect(await fixture.findings()).toEqual([])
  })

  it('is paid whole, with all of its cards, or not at all, wherever the server dies', async () => {
    let orderId = (await order()).orderId
    for (let step = 1; ; step += STRIDE) {
      const mortal = diesAt(step)
      const asked = { act: 'paid', order: orderId, amount: 3 * WHOLE, paidOn: today() } as const
      await desk(mortal.over(fixture.test.db))
        .act(asked, press())
        .catch(error => (error instanceof Killed ? undefined : Promise.reject(error)))
      const made = await states(orderId)
      expect([0, 3]).toContain(made.length)
      expect(await fixture.findings()).toEqual([])
      if (mortal.survived()) break
      if (made.length === 3) orderId = (await order()).orderId
    }
  }, 60_000)

  it.each([
    ['another amount', { amount: 3 * WHOLE - 1 }, 'other-amount'],
    ['a day that is yet to come', { paidOn: '2999-01-01' }, 'not-a-day'],
    ['no such order', { order: 'nothing' }, 'no-invoice'],
  ] as const)('is not paid by %s', async (_, changes, rule) => {
    const { orderId } = await order()
    const asked = { act: 'paid', order: orderId, amount: 3 * WHOLE, paidOn: today(), ...changes } as const
    expect(await ruleOf(act(asked))).toBe(rule)
    expect(await states(orderId)).toEqual([])
  })

  it('makes no card where another hand has made it, or its order, cheaper', async () => {
    const { orderId, key } = await order()
    await write(`update orders set total_amount = 300, ngo_amount = 300, support_amount = 0, tax_amount = 0,
      vat_amount = 0 where id = '${orderId}'`)
    expect(await ruleOf(pay(orderId, 300))).toBe('not-ours')
    await write(`update invoices set amount = 300 where order_id = '${orderId}'`)
    expect(await ruleOf(pay(orderId, 300))).toBe('not-ours')
    await expect(pages().open(orderId, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await states(orderId)).toEqual([])
  })

  it.each([
    ['sends its cards elsewhere', `update invoices set email = 'else@where.example'`],
    ['names somebody else', `update invoices set name = 'Somebody else'`],
    [
      'turns the support into credit',
      `update orders set ngo_amount = ngo_amount + support_amount, support_amount = 0, tax_amount = 0,
        vat_amount = 0`,
    ],
    ['says whom an unused card falls back on', `update orders set fallback_ngo_id = 'ngo-of-theirs'`],
    ['lets its cards last longer', 'update orders set term_months = 120'],
    ['takes the seal of that away', 'update invoices set details_seal = null'],
  ])('makes no card, and is found, where another hand %s', async (_, planted) => {
    const { orderId, key } = await order()
    await write(planted)
    expect(await ruleOf(pay(orderId))).toBe('not-ours')
    await expect(pages().open(orderId, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await states(orderId)).toEqual([])
    expect(JSON.stringify(await fixture.findings())).toContain('invoice-seal-broken')
  })

  it('that another hand has changed gets no good seal when its addressee is forgotten', async () => {
    const { orderId } = await order()
    await write(`update invoices set amount = 300 where order_id = '${orderId}'`)
    await fixture.test.db.transaction(trx =>
      forgetInvoicesOf(trx, fixture.deps.keys, [TO.email], fixture.clock()),
    )
    expect(JSON.stringify(await fixture.findings())).toContain('invoice-seal-broken')
    const left = await fixture.test.db.read(db =>
      db.selectFrom('invoices').select(['state', 'name', 'email']).executeTakeFirst(),
    )
    expect(left).toEqual({ state: 'cancelled', name: '', email: null })
  })

  it('that another hand adds to a payment at the provider changes nothing of that', async () => {
    const paid = await shop.buy()
    await write(`insert into invoices (order_id, year, number, state, currency, amount, paid_on, name, document, address,
      email, created_at, changed_at, seal) values ('${paid.orderId}', 2026, 1, 'paid', 'EUR', 1, '2026-01-01', '', '', '',
      null, 0, 0, 'x')`)
    await paid.withdraw()
    await shop.withdrawals.finish()
    expect(await shop.rowOf(paid.orderId)).toMatchObject({ state: 'refunded' })
    expect(fixture.alarms).toEqual([])
  })

  it('lapses at the end of its thirtieth day, and is still paid by money that arrives later', async () => {
    const { orderId, key } = await order()
    const { dueAt } = await pages().open(orderId, key)
    fixture.clock.advance(dueAt - 1 - fixture.clock())
    await fixture.payments.reconcile()
    expect((await pages().open(orderId, key)).standing).toBe('open')
    fixture.clock.advance(1)
    await fixture.payments.reconcile()
    expect((await pages().open(orderId, key)).standing).toBe('lapsed')
    await pay(orderId)
    expect(await states(orderId)).toEqual(['active', 'active', 'active'])
    expect(await fixture.findings()).toEqual([])
  })

  it('that can be paid no more is another one where its press comes again', async () => {
    const asked = { attemptKey: 'a-press-of-somebody' }
    const made = async () => (await order(asked)).orderId
    const first = await made()
    expect(await made()).toBe(first)
    await act({ act: 'cancel', order: first })
    const second = await made()
    expect(second).not.toBe(first)
    await withdraw(second)
    const third = await made()
    expect(third).not.toBe(second)
    // Each stands as it was, and says why it can be paid no more.
    const standings = (await desk().list()).map(({ orderId, standing }) => [orderId, standing])
    expect(Object.fromEntries(standings)).toMatchObject({ [first]: 'cancelled', [second]: 'withdrawn' })
    await pay(third)
    expect(await made()).toBe(third)
    expect(await fixture.findings()).toEqual([])
  })

  it('opens by its key under a changed secret as long as it waits, and then by that of its cards', async () => {
    const secrets = [
      'the first secret of a shop, long enough',
      'the second secret of a shop, long enough',
    ] as const
    const standing = standingKeysOf(secrets[0])
    const of = (current: 0 | 1) =>
      createCardKeys({
        all: new Map([
          [0, secrets[0]],
          [1, secrets[1]],
        ]),
        current,
        standing,
      })
    const site = (current: 0 | 1) => {
      const deps = { ...fixture.deps, keys: of(current) }
      return { deps, payments: createPayments(deps), pages: createInvoices(deps) }
    }
    const [before, after] = [site(0), site(1)]
    const { orderId, key } = await before.payments.startInvoice({ ...aStart, cards: 3, invoice: TO })
    expect(await after.pages.open(orderId, key)).toMatchObject({ standing: 'open' })
    const asked = { act: 'paid', order: orderId, amount: 3 * WHOLE, paidOn: today() } as const
    await fixture.test.db.transaction(trx => actOnInvoice(trx, after.deps, asked))
    // The cards are of the secret in use, and so is the key of their order from then on.
    await expect(after.pages.open(orderId, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    const now = after.deps.keys.withdrawalKey(orderId, after.deps.keys.firstVersion)
    expect(await after.pages.open(orderId, now)).toMatchObject({
      standing: 'paid',
      receipt: expect.stringMatching(new RegExp(`^S\\d{4}-\\d{6}-${lettersOf(orderId)}$`)),
    })
    await expect(after.pages.open(orderId, `${key.slice(0, -1)}x`)).rejects.toMatchObject({
      code: 'payment-not-found',
    })
  })

  it('that was cancelled is paid by nothing, and one that was paid is not cancelled', async () => {
    const { orderId, key } = await order()
    await act({ act: 'cancel', order: orderId })
    expect((await pages().open(orderId, key)).standing).toBe('cancelled')
    expect(await ruleOf(pay(orderId))).toBe('invoice-cancelled')
    const second = await order()
    await pay(second.orderId)
    expect(await ruleOf(act({ act: 'cancel', order: second.orderId }))).toBe('already-paid')
    expect(await fixture.findings()).toEqual([])
  })

  it('is in no question to the provider, whether it is new, paid or given back', async () => {
    const { orderId } = await order()
    await pay(orderId)
    await withdraw(orderId, [1])
    fixture.clock.advance(DAY_MS)
    await fixture.payments.reconcile()
    await shop.withdrawals.finish()
    expect(fixture.asked).toEqual([])
    // Nor is it looked for among what the provider moved, whenever that was read.
    const until = fixture.clock() + DAY_MS
    expect(await fixture.test.db.read(db => ordersMovedOtherwise(db, { until }))).toEqual([])
  })
})

describe('money of an invoice', () => {
  it('goes back by a transfer that the treasurer says, for the cards that were withdrawn from', async () => {
    const { orderId } = await order()
    await pay(orderId)
    await withdraw(orderId, [0, 2])
    await shop.withdrawals.finish()
    await shop.withdrawals.finish()
    expect(fixture.alarms).toEqual(['invoice-refund-due'])
    expect(await states(orderId)).toEqual(['cancelling', 'active', 'cancelling'])
    expect((await desk().list())[0]?.due).toEqual([
      { withdrawal: 1, amount: { amount: 2 * WHOLE, currency: 'EUR' } },
    ])
    const said = { act: 'refunded', order: orderId, withdrawal: 1 } as const
    const other = desk(await fixture.test.another())
    const rules = await Promise.all([desk(), other].map(each => ruleOf(each.act(said, press()))))
    expect(rules.toSorted()).toEqual(['done', 'nothing-due'])
    expect(await states(orderId)).toEqual(['revoked', 'active', 'revoked'])
    // Its buyer is told once when they withdraw, and once when it was transferred.
    const told = await fixture.test.db.read(db =>
      db.selectFrom('jobs').select('dedupe_key').where('kind', '=', 'withdrawal').orderBy('id').execute(),
    )
    expect(told.map(({ dedupe_key: each }) => each?.split(':').at(-1)).toSorted()).toEqual([
      'refunded',
      'refunding',
    ])
    expect(await shop.rowOf(orderId)).toMatchObject({ state: 'refunded', amount: 2 * WHOLE })
    expect(await shop.balances()).toMatchObject({ bank: -WHOLE, cards: 5_000 })
    expect(await fixture.test.db.snapshot(positions)).toMatchObject([
      { atProvider: 0, onItsWay: 0, byInvoice: WHOLE, atBank: WHOLE },
    ])
    // Another time for the rest.
    await withdraw(orderId)
    await act({ ...said, withdrawal: 2 })
    expect(await states(orderId)).toEqual(['revoked', 'revoked', 'revoked'])
    // Nothing is at the provider, and nothing at the bank.
    expect(await shop.balances()).toEqual({ payments: -3 * WHOLE, refunds: 3 * WHOLE })
    expect(fixture.asked).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('is in the file of each card, which says that a person has to transfer what goes back', async () => {
    const { orderId } = await order()
    await pay(orderId)
    const [card] = await fixture.test.db.read(db => db.selectFrom('cards').select('id').execute())
    const file = await fixture.test.db.read(db => cardFile(db, card!.id))
    expect(file?.refundable).toMatchObject({ left: 3 * WHOLE, leftOfCard: WHOLE, byTransfer: true })
    expect(file?.history).toContainEqual(
      expect.objectContaining({
        what: 'paid',
        details: expect.stringMatching(/^invoice P\d{4}-000001-[0-9A-Z]{4}, at the bank on /),
      }),
    )
    expect(JSON.stringify(file?.history)).toContain('booked: invoice')
  })

  it('lets a card go that a refund of a process that died holds, and asks nothing of the provider', async () => {
    const { orderId } = await order()
    await pay(orderId)
    const [card] = await fixture.test.db.read(db =>
      db.selectFrom('cards').select('id').where('order_id', '=', orderId).orderBy('position').execute(),
    )
    const { act: onGift } = deskOf(fixture, { refund: () => Promise.reject(new Error('died')) })
    const refund = {
      act: 'refund',
      card: card!.id,
      amount: WHOLE,
      currency: 'EUR',
      left: 3 * WHOLE,
      used: false,
    } as const
    await expect(onGift(refund, press())).rejects.toThrow('died')
    expect(await states(orderId)).toEqual(['frozen', 'active', 'active'])
    fixture.clock.advance(11 * MINUTE_MS)
    fixture.between(() => Promise.reject(new TypeError('fetch failed')))
    await onGift({ act: 'release', card: card!.id }, press())
    expect(await states(orderId)).toEqual(['active', 'active', 'active'])
    expect(fixture.asked).toEqual([])
  })

  it('is found at the desk by its number, with the letters of its order or without, before and after it is paid', async () => {
    const { orderId, key } = await order()
    const { number } = await pages().open(orderId, key)
    const parts = { db: fixture.test.db, sessionDigest: undefined, recipientDigest: undefined }
    const found = async (typed: string) =>
      (await find({ ...parts, orderOfIntent: undefined, organisations: () => [] }, typed)).hits
    expect(await found(number)).toMatchObject([{ kind: 'order', id: orderId }])
    await pay(orderId)
    expect(await found(number.slice(0, -5).toLowerCase())).toHaveLength(3)
    expect(await found(`${number.slice(0, -4)}ZZZZ`)).toEqual([])
  })

  it('that is withdrawn before it arrives is held, and goes back when it does', async () => {
    const { orderId, key } = await order()
    await withdraw(orderId)
    expect(await pages().open(orderId, key)).toMatchObject({ standing: 'withdrawn', isWithdrawn: true })
    expect((await desk().list())[0]?.standing).toBe('withdrawn')
    await pay(orderId)
    expect(await pages().open(orderId, key)).toMatchObject({ standing: 'paid', isWithdrawn: true })
    expect(await states(orderId)).toEqual(['cancelling', 'cancelling', 'cancelling'])
    await act({ act: 'refunded', order: orderId, withdrawal: 1 })
    expect(await states(orderId)).toEqual(['revoked', 'revoked', 'revoked'])
    expect(await fixture.findings()).toEqual([])
  })

  it('is not said to be back where nobody has withdrawn, or whose withdrawal another hand has written', async () => {
    const { orderId } = await order()
    await pay(orderId)
    const said = { act: 'refunded', order: orderId, withdrawal: 1 } as const
    expect(await ruleOf(act(said))).toBe('nothing-due')
    await withdraw(orderId, [0])
    await write(`update withdrawals set amount = ${3 * WHOLE}, cards = null where order_id = '${orderId}'`)
    expect(await ruleOf(act(said))).toBe('not-ours')
    expect(await shop.balances()).toMatchObject({ bank: -3 * WHOLE })
    // Nobody is asked to transfer it.
    expect((await desk().list())[0]?.due).toEqual([])
    await shop.withdrawals.finish()
    expect(fixture.alarms).toEqual(['invoice-refund-due', 'withdrawal-not-ours'])
  })

  it('that went back is not forgotten where another hand takes its row out: no card comes back to life', async () => {
    const { orderId } = await order()
    await pay(orderId)
    const back = (left: number, number: number) =>
      refundByOperator(
        fixture.deps,
        orderId,
        { amount: WHOLE, left, currency: 'EUR', used: false },
        { number },
      )
    await back(3 * WHOLE, 1)
    await write('delete from bank_refunds')
    await expect(back(3 * WHOLE, 2)).rejects.toThrow('not as written')
    await write(
      `insert into bank_refunds (id, order_id, amount, cards, made_at, seal) values ('x', '${orderId}', ${WHOLE}, '2', 0, 'x')`,
    )
    await expect(back(2 * WHOLE, 2)).rejects.toThrow('not as written')
    expect(await states(orderId)).toEqual(['revoked', 'active', 'active'])
  })

  it('goes back by the operator for one card, once, and never more than is left', async () => {
    const { orderId } = await order()
    await pay(orderId)
    const back = (amount: number, left: number, number = 2) =>
      refundByOperator(fixture.deps, orderId, { amount, left, currency: 'EUR', used: false }, { number })
    expect(await back(WHOLE, 3 * WHOLE)).toBeUndefined()
    expect(await back(WHOLE, 3 * WHOLE)).toBe('changed')
    expect(await back(WHOLE, 2 * WHOLE)).toBe('amount')
    expect(await states(orderId)).toEqual(['active', 'revoked', 'active'])
    const twice = await Promise.all([back(WHOLE, 2 * WHOLE, 1), back(WHOLE, 2 * WHOLE, 1)])
    expect(twice.toSorted()).toEqual(['changed', undefined])
    expect(await states(orderId)).toEqual(['revoked', 'revoked', 'active'])
    expect(await shop.balances()).toMatchObject({ bank: -WHOLE })
    expect(fixture.asked).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it.each([
    ['that is open again', `update invoices set state = 'open', paid_on = null`],
    ['of another amount', 'update invoices set amount = amount + 1'],
    ['that the books do not have', `delete from ledger_entries where cause = 'invoice'`],
    [
      'of which more went back',
      `insert into bank_refunds (id, order_id, amount, made_at, seal) select 'x', order_id, 1, 0, 'x' from invoices`,
    ],
    ['without the one that follows', 'update invoice_years set last = last + 1'],
    ['that there is not', 'delete from invoices'],
  ])('is found by the rules of the books: an invoice %s', async (_, planted) => {
    const { orderId } = await order()
    await pay(orderId)
    expect(await fixture.findings()).toEqual([])
    await write(planted)
    expect(JSON.stringify(await fixture.findings())).toMatch(/"invoice-(differs|gap)"/)
  })
})

describe('whom an invoice names', () => {
  const named = () =>
    fixture.test.db.read(db =>
      db.selectFrom('invoices').select(['name', 'email', 'state']).orderBy('number').execute(),
    )
  const YEAR = 365.25 * DAY_MS
  /** As the job does, every day. */
  const forget = () =>
    forgetInvoiced(fixture.test.db, {
      paid: fixture.clock() - 10 * YEAR,
      others: fixture.clock() - 180 * DAY_MS,
    })

  it('is kept for ten years where it was paid, and half a year where it was not', async () => {
    const paid = await order()
    const lapsed = await order()
    const later = await order()
    await pay(paid.orderId)
    fixture.clock.advance(40 * DAY_MS)
    expect(await forget()).toBe(0)
    await fixture.payments.reconcile()
    await pay(later.orderId)
    fixture.clock.advance(179 * DAY_MS)
    await forget()
    expect(await named()).toEqual([
      { name: TO.name, email: null, state: 'paid' },
      { name: '', email: null, state: 'open' },
      { name: TO.name, email: TO.email, state: 'paid' },
    ])
    fixture.clock.advance(10 * YEAR)
    await forget()
    await forget()
    expect((await named()).map(({ name }) => name)).toEqual(['', '', ''])
    expect((await pages().open(lapsed.orderId, lapsed.key)).to).toBeNull()
    // Nobody could be sent its cards.
    expect(await ruleOf(pay(lapsed.orderId))).toBe('no-address')
    expect(await fixture.findings()).toEqual([])
  })

  it('goes at once where they ask for it, and what waited for their money is cancelled', async () => {
    const paid = await order()
    const open = await order()
    await order({ invoice: { ...TO, email: 'somebody@else.example' } })
    await pay(paid.orderId)
    await fixture.test.db.transaction(trx =>
      forgetInvoicesOf(trx, fixture.deps.keys, [TO.email.toUpperCase()], fixture.clock()),
    )
    expect(await named()).toEqual([
      { name: TO.name, email: null, state: 'paid' },
      { name: '', email: null, state: 'cancelled' },
      { name: TO.name, email: 'somebody@else.example', state: 'open' },
    ])
    expect(await ruleOf(pay(open.orderId))).toBe('invoice-cancelled')
    expect(await fixture.findings()).toEqual([])
  })

  it('goes with all that they wrote of cards that there are not', async () => {
    const rows = [
      { name: 'Aina', words: 'Felicitats' },
      { name: 'Biel', words: null },
    ]
    await order({ cards: 2, rows, message: 'Bones festes', sender: { kind: 'own', name: 'Escola del Mar' } })
    await fixture.test.db.transaction(trx =>
      forgetInvoicesOf(trx, fixture.deps.keys, [TO.email], fixture.clock()),
    )
    const left = await fixture.test.db.read(async db => [
      await db.selectFrom('batch_rows').select('name').execute(),
      await db.selectFrom('gift_messages').selectAll().execute(),
      await db.selectFrom('orders').select('sender_name').execute(),
    ])
    expect(left).toEqual([[], [], [{ sender_name: null }]])
  })

  it('that waits longest is listed first among those that wait, however many strangers ask', async () => {
    const first = await order()
    for (let n = 0; n < 3; n++) {
      fixture.clock.advance(DAY_MS)
      await order()
    }
    expect((await desk().list()).map(({ orderId }) => orderId).indexOf(first.orderId)).toBe(0)
  })

  it('is put right where they mistyped their mailbox, as long as nothing is paid', async () => {
    const { orderId, key } = await order({ invoice: { ...TO, email: 'compres@escoal.example' } })
    const right = { act: 'address', order: orderId, email: TO.email } as const
    expect(await ruleOf(act({ ...right, email: 'nowhere' }))).toBe('not-an-address')
    await act(right)
    expect((await desk().list())[0]?.maskedAddress).toBe('c…s@escola.example')
    // Whoever got the first letter has nothing of it any more, nor of its cards.
    const dead = async () => {
      await expect(pages().open(orderId, key)).rejects.toMatchObject({ code: 'payment-not-found' })
      await expect(shop.withdrawals.open(orderId, key)).rejects.toMatchObject({ code: 'payment-not-found' })
    }
    await dead()
    const next = fixture.deps.keys.withdrawalKey(orderId, 2)
    expect((await pages().open(orderId, next)).maskedAddress).toBe('c…s@escola.example')
    const mails = await fixture.test.db.read(db =>
      db.selectFrom('jobs').select('subject').where('kind', '=', 'invoice').execute(),
    )
    expect(mails).toContainEqual({ subject: fixture.deps.keys.pseudonym(TO.email) })
    await pay(orderId)
    const cards = await fixture.test.db.read(db => db.selectFrom('cards').select('email').execute())
    expect(cards.map(({ email }) => email)).toEqual([TO.email, TO.email, TO.email])
    await dead()
    expect((await pages().open(orderId, next)).standing).toBe('paid')
    expect(await fixture.findings()).toEqual([])
    expect(await ruleOf(act(right))).toBe('already-paid')
    const cancelled = await order()
    await act({ act: 'cancel', order: cancelled.orderId })
    expect(await ruleOf(act({ ...right, order: cancelled.orderId }))).toBe('invoice-cancelled')
    const changed = await order()
    await write(`update invoices set email = 'else@where.example' where order_id = '${changed.orderId}'`)
    expect(await ruleOf(act({ ...right, order: changed.orderId }))).toBe('not-ours')
  })

  it('has its letter sent for each correction of a day, since each ends the link of before', async () => {
    const wrong = { ...TO, email: 'compres@escoal.example' }
    for (let n = 0; n < 5; n++) {
      const { orderId } = await order({ invoice: wrong })
      await act({ act: 'address', order: orderId, email: TO.email })
    }
    const subject = fixture.deps.keys.pseudonym(TO.email)
    const mails = await fixture.test.db.read(db =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('kind', '=', 'invoice')
        .where('subject', '=', subject)
        .execute(),
    )
    expect(mails).toHaveLength(5)
  })

  it('gets three mails of a day at one address at the most, whoever asks', async () => {
    for (let n = 0; n < 5; n++) await order()
    await order({ invoice: { ...TO, email: TO.email.toUpperCase() } })
    const mails = () =>
      fixture.test.db.read(db => db.selectFrom('jobs').select('id').where('kind', '=', 'invoice').execute())
    expect(await mails()).toHaveLength(3)
    fixture.clock.advance(DAY_MS)
    await order()
    expect(await mails()).toHaveLength(4)
    // Once they were handed over, the jobs that know the address again go.
    await fixture.test.db.transaction(trx =>
      trx.updateTable('jobs').set({ done_at: fixture.clock() }).where('kind', '=', 'invoice').execute(),
    )
    expect(await forgetInvoiceMails(fixture.test.db, fixture.clock())).toBe(3)
    expect(await mails()).toHaveLength(1)
  })
})
