import { expect } from 'vitest'
import { isProblem } from '#domain/problems.ts'
import type { Selection } from '#domain/redemption/split.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { SHARED_MS } from '#server/modules/payments/once-per-session.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CARD, NGOS, type PaymentsFixture } from '../support/payments-fixture.ts'
import type { Command } from './journey-commands.ts'
import {
  booksOf,
  type Charge,
  type Gift,
  type Price,
  type Status,
  statusOf,
  UNPAID,
} from './journey-model.ts'

const PURCHASES = [
  { packageId: 'their water', ngoAmount: 5_000, supportAmount: 1_500, currency: 'EUR', net: 1_185, tax: 315 },
  { packageId: 'keep the chain', ngoAmount: 200, supportAmount: 0, currency: 'GBP', net: 0, tax: 0 },
  { packageId: 'their lifes', ngoAmount: 30_000, supportAmount: 0, currency: 'USD', net: 0, tax: 0 },
] as const

const YEAR_AND_DAY_MS = 367 * 24 * 3_600_000

interface Order {
  readonly sessionId: string
  readonly price: Price
  charge: Charge
  gift?: { readonly selection: readonly Selection[]; readonly amounts: Gift }
  /** Every state that the server may still believe in: all since it last heard everything. */
  readonly believable: Set<Status>
}

/** One journey: does what the commands say, and compares every answer with what the model allows. */
export async function runJourney(
  fixture: PaymentsFixture,
  otherDb: Database,
  commands: readonly Command[],
): Promise<void> {
  const orders: Order[] = []
  const unheard: string[] = []
  const serverOn = (db: Database) => ({
    payments: createPayments({ ...fixture.deps, db }),
    cards: createCards({ db, keys: fixture.deps.keys, clock: fixture.clock, listedNgoIds: () => NGOS }),
  })
  const servers = [serverOn(fixture.deps.db), serverOn(otherDb)] as const
  const databases = [fixture.deps.db, otherDb] as const

  const pick = (index: number) => (orders.length === 0 ? undefined : orders[index % orders.length])
  const statusNow = ({ charge, price, gift }: Order) => statusOf(charge, price, gift?.amounts)

  /** Lets the provider do what is due, and looks at what has become of the payments. */
  async function watch(these: readonly Order[]): Promise<void> {
    unheard.push(...(await fixture.collectEvents()).map(({ body }) => body))
    for (const order of these) {
      order.charge = await chargeOf(fixture, order.sessionId)
      order.believable.add(statusNow(order))
    }
  }

  /** However late an event is sent, the provider signs it as it leaves. */
  function hear(body: string, { payments }: (typeof servers)[number]): Promise<void> {
    const timestamp = Math.floor(fixture.clock() / 1000)
    const signed = { payload: body, secret: fixture.deps.webhookSecret, timestamp }
    return payments.receiveEvent(body, fixture.stripe.webhooks.generateTestHeaderString(signed))
  }

  async function hearAll(): Promise<void> {
    await watch(orders)
    for (const body of unheard.splice(0)) await hear(body, servers[0])
    for (const order of orders) {
      order.believable.clear()
      order.believable.add(statusNow(order))
    }
  }

  async function give(order: Order, { cards }: (typeof servers)[number], selection: readonly Selection[]) {
    const key = await privateKeyOf(fixture, order.sessionId)
    if (key === undefined) {
      expect([...order.believable]).toContain('none')
      return 'refused'
    }
    try {
      const { allocations } = await cards.redeem(key, selection)
      const amounts = Object.fromEntries(allocations.map(({ ngoId, amount }) => [ngoId, amount.amount]))
      if (order.gift) {
        // The same gift said again is answered again; another would be money made.
        expect({ selection, amounts }).toEqual(order.gift)
        return 'repeated'
      }
      expect([...order.believable]).toContain('active')
      expectFairSplit(amounts, selection, order.price.ngo)
      order.gift = { selection, amounts }
      order.believable.add('consumed')
      return 'given'
    } catch (error) {
      if (!isProblem(error)) throw error
      if (order.gift) expect(error.code).toBe('card-consumed')
      else expectHidden(order, error.code)
      return 'refused'
    }
  }

  async function perform(command: Command): Promise<void> {
    const order = 'order' in command ? pick(command.order) : undefined
    const server = servers['server' in command ? command.server : 0]
    switch (command.does) {
      case 'start': {
        const { net, tax, ...purchase } = PURCHASES[command.purchase]
        const { sessionId } = await fixture.start(purchase)
        const price = { ngo: purchase.ngoAmount, net, tax }
        orders.push({ sessionId, price, charge: UNPAID, believable: new Set<Status>(['none']) })
        return
      }
      case 'pay':
        if (!order || order.charge.isPaid) return
        await fixture.pay(order.sessionId, CARD[command.card])
        return watch([order])
      case 'wait':
        fixture.clock.advance(command.ms)
        return watch(orders)
      case 'refund': {
        const charge = order && (await chargeIdOf(fixture, order.sessionId))
        if (!order || charge === undefined) return
        const amount = command.part === 'all' ? {} : { amount: 100 }
        // The provider may refuse (already refunded, disputed): then nothing has changed.
        await fixture.stripe.refunds.create({ charge, ...amount }).catch(() => undefined)
        return watch([order])
      }
      case 'decide': {
        const charge = order && (await chargeIdOf(fixture, order.sessionId))
        if (!order || charge === undefined) return
        // There may be none, or it is decided: then nothing has changed.
        await fixture.decideDispute(command.isWon ? 'won' : 'lost', charge).catch(() => undefined)
        return watch([order])
      }
      case 'hear': {
        const heard = unheard.filter((_, index) => command.which[index % command.which.length])
        if (!command.isRepeatedLater) for (const each of heard) unheard.splice(unheard.indexOf(each), 1)
        for (const body of heard.reverse()) await hear(body, server)
        return
      }
      case 'hear-all':
        return hearAll()
      case 'reconcile':
        await server.payments.reconcile()
        return
      case 'visit-success': {
        if (!order) return
        // Nobody pays and comes back sooner than it is asked about the session anew.
        fixture.clock.advance(SHARED_MS)
        try {
          await server.payments.settle(order.sessionId)
          expect(order.charge.isPaid).toBe(true)
        } catch (error) {
          if (!isProblem(error)) throw error
          if (error.code === 'payment-not-completed') expect(order.charge.isPaid).toBe(false)
          // A day after it was settled.
          else if (error.code === 'links-by-mail')
            expect(['active', 'consumed'].some(status => order.believable.has(status as Status))).toBe(true)
          else expectHidden(order, error.code === 'payment-not-found' ? 'card-not-found' : error.code)
        }
        return
      }
      case 'look': {
        const key = order && (await privateKeyOf(fixture, order.sessionId))
        if (!order || key === undefined) return
        try {
          const view = await server.cards.open(key, 'full')
          expect({ credit: view.credit.amount, consumed: view.consumed }).toEqual({
            credit: order.price.ngo,
            consumed: order.gift !== undefined,
          })
        } catch (error) {
          if (!isProblem(error)) throw error
          expect(order.gift).toBeUndefined()
          expectHidden(order, error.code)
        }
        return
      }
      case 'give':
        if (order) await give(order, server, selectionOf(command.points, order.price))
        return
      case 'give-again':
        if (order?.gift && order.gift.selection.length > 0)
          expect(await give(order, server, order.gift.selection)).toBe('repeated')
        return
      case 'give-with-public-key': {
        const key = order && (await publicKeyOf(fixture, order.sessionId))
        if (!order || key === undefined) return
        const attempt = server.cards.redeem(key, selectionOf([1, 0], order.price))
        await expect(attempt).rejects.toMatchObject({ code: 'card-not-found' })
        return
      }
      case 'give-at-once': {
        if (!order || order.gift) return
        const key = await privateKeyOf(fixture, order.sessionId)
        if (key === undefined) return
        const selections = [selectionOf([1, 0], order.price), selectionOf([0, 1], order.price)]
        const answers = await Promise.allSettled(
          selections.map((selection, index) => servers[index as 0 | 1].cards.redeem(key, selection)),
        )
        const winners = answers.flatMap((answer, index) => (answer.status === 'fulfilled' ? [index] : []))
        expect(winners.length).toBeLessThanOrEqual(1)
        if (winners[0] === undefined) return expectHidden(order, 'card-not-found')
        expect([...order.believable]).toContain('active')
        const selection = selections[winners[0]]!
        order.gift = { selection, amounts: { [selection[0]!.ngoId]: order.price.ngo } }
        order.believable.add('consumed')
        return
      }
      case 'let-a-year-pass': {
        fixture.clock.advance(YEAR_AND_DAY_MS)
        await watch(orders)
        const db = databases[command.server]
        const job = {
          db,
          keys: fixture.deps.keys,
          clock: fixture.clock,
          draw: () => 1,
          listedNgoIds: () => NGOS,
        }
        while ((await autoDonateSome(job)).looked > 0);
        for (const each of orders) await noteAutoDonation(each)
        return
      }
    }
  }

  /** After the yearly job: a card that can only be active has been given, whole, to one organisation; no other has. */
  async function noteAutoDonation(order: Order): Promise<void> {
    const card = await cardOf(fixture, order.sessionId)
    if (order.gift || card?.status !== 'consumed') {
      if (!order.gift && card) expect([...order.believable]).not.toEqual(['active'])
      return
    }
    expect([...order.believable]).toContain('active')
    const { use } = await servers[0].cards.open((await privateKeyOf(fixture, order.sessionId))!, 'full')
    expect(use).toMatchObject({ by: 'auto-donation', ngoIds: [NGOS[1]] })
    const allocations = await fixture.test.db.read(reader => allocationsOf(reader, card.id))
    const amounts = Object.fromEntries(allocations.map(({ ngoId, amount }) => [ngoId, amount.amount]))
    expect(amounts).toEqual({ [NGOS[1]]: order.price.ngo })
    // Nobody's own selection: whoever asks for one afterwards comes too late.
    order.gift = { selection: [], amounts }
    order.believable.add('consumed')
  }

  for (const command of commands) await perform(command)
  await hearAll()
  for (const order of orders) {
    const { charge, price, gift } = order
    expect(await endOf(fixture, order.sessionId)).toEqual({
      status: statusNow(order),
      books: booksOf(charge, price, gift?.amounts),
    })
  }
}

/** A card that is not the model's to give reads as missing, and only when it may be frozen, revoked or not there. */
function expectHidden(order: Order, code: string): void {
  expect(code).toBe('card-not-found')
  const reasons = [...order.believable].filter(status => status !== 'active' && status !== 'consumed')
  expect(reasons, 'a state that hides the card').not.toEqual([])
}

/** Points of the first and the second organisation, in thirds of what the card can give; never more than it has. */
function selectionOf([first, second]: readonly [number, number], { ngo }: Price): readonly Selection[] {
  const third = Math.max(1, Math.floor(ngo / 300))
  const wanted = [
    { ngoId: 'cerf', points: first * third },
    { ngoId: 'msf', points: second * third },
  ].filter(({ points }) => points > 0)
  const isTooMuch = wanted.reduce((sum, { points }) => sum + points, 0) * 100 > ngo
  return isTooMuch ? wanted.slice(0, 1).map(({ ngoId }) => ({ ngoId, points: 1 })) : wanted
}

/** Exactly the credit, and nobody a cent away from its share. */
function expectFairSplit(amounts: Gift, selection: readonly Selection[], credit: number): void {
  const points = selection.reduce((sum, each) => sum + each.points, 0)
  expect(Object.values(amounts).reduce((sum, amount) => sum + amount, 0)).toBe(credit)
  for (const { ngoId, points: own } of selection)
    expect(Math.abs((amounts[ngoId] ?? 0) - (credit * own) / points)).toBeLessThan(1)
}

async function sessionOf(fixture: PaymentsFixture, sessionId: string) {
  return fixture.stripe.checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] })
}

async function chargeIdOf(fixture: PaymentsFixture, sessionId: string): Promise<string | undefined> {
  const { payment_intent: intent } = await sessionOf(fixture, sessionId)
  const charge = typeof intent === 'object' ? intent?.latest_charge : undefined
  return typeof charge === 'object' && charge?.status === 'succeeded' ? charge.id : undefined
}

async function chargeOf(fixture: PaymentsFixture, sessionId: string): Promise<Charge> {
  const isPaid = (await sessionOf(fixture, sessionId)).payment_status === 'paid'
  const charge = await chargeIdOf(fixture, sessionId)
  if (!isPaid || charge === undefined) return UNPAID
  const refunds = await fixture.stripe.refunds.list({ charge, limit: 100 })
  const disputes = await fixture.stripe.disputes.list({ charge, limit: 100 })
  const sum = (things: readonly { amount: number }[]) => things.reduce((all, { amount }) => all + amount, 0)
  return {
    isPaid,
    refunded: sum(refunds.data.filter(({ status }) => status !== 'failed')),
    lost: sum(disputes.data.filter(({ status }) => status === 'lost')),
    isDisputed: disputes.data.some(({ status }) => status !== 'lost' && status !== 'won'),
  }
}

async function cardOf(fixture: PaymentsFixture, sessionId: string) {
  const { metadata } = await fixture.stripe.checkout.sessions.retrieve(sessionId)
  return fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .select(['id', 'key_version', 'status', 'order_id'])
      .where('order_id', '=', metadata!.order_id!)
      .executeTakeFirst(),
  )
}

async function privateKeyOf(fixture: PaymentsFixture, sessionId: string): Promise<string | undefined> {
  const card = await cardOf(fixture, sessionId)
  return card && fixture.deps.keys.privateKey(card.id, card.key_version)
}

async function publicKeyOf(fixture: PaymentsFixture, sessionId: string): Promise<string | undefined> {
  const card = await cardOf(fixture, sessionId)
  return card && fixture.deps.keys.publicKey(card.id, card.key_version)
}

async function endOf(fixture: PaymentsFixture, sessionId: string) {
  const card = await cardOf(fixture, sessionId)
  if (!card) return { status: 'none', books: {} }
  const entries = await fixture.test.db.read(db =>
    db.selectFrom('ledger_entries').select(['account', 'amount']).where('card_id', '=', card.id).execute(),
  )
  const books: Record<string, number> = {}
  for (const { account, amount } of entries) books[account] = (books[account] ?? 0) + amount
  return {
    status: card.status,
    books: Object.fromEntries(Object.entries(books).filter(([, amount]) => amount !== 0)),
  }
}
