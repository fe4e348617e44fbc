import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { ngoAccount } from '#server/modules/ledger/accounts.ts'
import { type EntrySet, post } from '#server/modules/ledger/post.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import { cancelPayout, createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { anOrder, CREATED_AT, testKeys } from '#tests/builders/server.ts'

export const DAY_MS = 86_400_000
export const BOOK_NGOS = ['msf', 'cerf', 'irc', 'wfp', 'unicef', 'unhcr'] as const
const CURRENCIES = ['EUR', 'USD', 'GBP'] as const
const CREDITS = [500, 1_000, 2_000, 5_000, 10_000] as const

/** Numbers as chance gives them, the same for the same seed (mulberry32). */
export function chanceOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

type Chance = (below: number) => number
type Row = Readonly<Record<string, string | number | null>>

/** So many rows in one statement: both engines take their columns. */
const ROWS_AT_ONCE = 40

async function insertAll(trx: Writer, table: 'orders', rows: readonly Row[]): Promise<void> {
  for (let n = 0; n < rows.length; n += ROWS_AT_ONCE)
    await trx
      .insertInto(table)
      .values(rows.slice(n, n + ROWS_AT_ONCE) as never)
      .execute()
}

/**
 * Books some cards of one day, bought and used or not, as the product books them: rows and sets, without the work of
 * sealing and mails that each of them costs there.
 * @param at the first instant of the day, epoch ms UTC
 */
export async function bookCards(db: Database, chance: Chance, cards: number, at: number): Promise<void> {
  const of: { [Table in 'orders' | 'cards' | 'redemptions' | 'allocations']: Row[] } = {
    orders: [],
    cards: [],
    redemptions: [],
    allocations: [],
  }
  const sets: EntrySet[] = []
  for (let n = 0; n < cards; n++) {
    const now = at + chance(DAY_MS / 2)
    const currency: Currency = CURRENCIES[chance(10) < 8 ? 0 : 1 + chance(2)]!
    // An amount of the buyer's own now and then, in whole units.
    const credit = chance(5) === 0 ? 100 * (5 + chance(95)) : CREDITS[chance(CREDITS.length)]!
    const support = chance(3) === 0 ? 0 : 100 * chance(12)
    const tax = Math.round((support * 21) / 100)
    const order = anOrder({
      id: `o-${now}-${n}-${chance(1e9)}`,
      status: 'paid',
      currency,
      ngo_amount: credit,
      support_amount: support,
      tax_amount: tax,
      total_amount: credit + support,
      created_at: now,
      expires_at: now + 1,
      settled_at: now,
    })
    const cardId = `c-${order.id}`
    const fate = chance(20)
    const status = fate < 15 ? 'consumed' : fate === 15 ? 'revoked' : 'active'
    of.orders.push(order as Row)
    of.cards.push({
      id: cardId,
      order_id: order.id,
      kind: 'donation',
      status,
      theme_id: 'palestine',
      sender_name: null,
      language: 'es',
      currency,
      credit,
      email: null,
      key_version: 1,
      private_digest: `private ${cardId}`,
      public_digest: `public ${cardId}`,
      created_at: now,
      auto_donate_at: now + 365 * DAY_MS,
    })
    const set = (id: string, cause: string, later: number, entries: EntrySet['entries']): void =>
      void sets.push({ id, cause, cardId, orderId: order.id, at: now + later, entries })
    set(`sale:${order.id}`, 'sale', 0, [
      ['payments', money(-(credit + support), currency)],
      ['cards', money(credit, currency)],
      ['support', money(support - tax, currency)],
      ['tax', money(tax, currency)],
    ])
    if (chance(2) === 0) {
      const fee = 25 + Math.round(credit * 0.015)
      const borne = Math.min(fee, support - tax)
      set(`movement:${order.id}`, 'movement', 1, [
        ['payments', money(fee, currency)],
        ['fees', money(-borne, currency)],
        ['operator', money(borne - fee, currency)],
      ])
    }
    if (status === 'revoked')
      set(`reversal:${order.id}`, 'reversal', 2, [
        ['cards', money(-credit, currency)],
        ['refunds', money(credit, currency)],
      ])
    if (status !== 'consumed') continue
    const use = now + 1 + chance(DAY_MS / 3)
    const one = chance(BOOK_NGOS.length)
    const first = chance(3) === 0 ? credit : 100 * (1 + chance(credit / 100))
    const shares: (readonly [string, number])[] = [
      [BOOK_NGOS[one]!, first],
      ...(first === credit
        ? []
        : [
            [
              BOOK_NGOS[(one + 1 + chance(BOOK_NGOS.length - 1)) % BOOK_NGOS.length]!,
              credit - first,
            ] as const,
          ]),
    ]
    of.redemptions.push({ card_id: cardId, cause: 'recipient', request_digest: 'request', created_at: use })
    shares.forEach(([ngo_id, amount], position) => {
      of.allocations.push({ card_id: cardId, ngo_id, position, points: amount / 100, amount, currency })
    })
    sets.push({
      id: `redemption:${cardId}`,
      cause: 'recipient',
      cardId,
      orderId: null,
      at: use,
      entries: [
        ['cards', money(-credit, currency)],
        ...shares.map(([ngoId, amount]) => [ngoAccount(ngoId), money(amount, currency)] as const),
      ],
    })
  }
  await db.transaction(async trx => {
    for (const [table, rows] of Object.entries(of)) await insertAll(trx, table as 'orders', rows)
    for (let n = 0; n < sets.length; n += ROWS_AT_ONCE) await post(trx, ...sets.slice(n, n + ROWS_AT_ONCE))
  })
}

/** Pays out everything that is owed; now and then a payout is taken back, and made anew the next time. @param now epoch ms UTC */
export async function payOutAll(db: Database, chance: Chance, now: number): Promise<void> {
  for (const { ngoId, currency } of await db.read(owed)) {
    const { id } = await createPayout(db, { ngoId, currency }, now)
    if (chance(10) === 0) await cancelPayout(db, id, now)
    else await markPaid(db, { id, reference: `SEPA ${id}` }, now)
  }
}

export { CREATED_AT, testKeys }
