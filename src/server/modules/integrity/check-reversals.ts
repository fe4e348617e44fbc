import { sql } from 'kysely'
import { GIFTS } from '#domain/card/gifts.ts'
import type { CardStatus } from '#domain/card/states.ts'
import {
  NO_REVERSAL,
  type ReversalEntries,
  reversalOf,
  supportLeft,
  takenOffCard,
} from '#domain/money/reversal.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { isSupportBack } from '#domain/withdrawal/withdrawal.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

const AMOUNTS = ['ngo_amount', 'support_amount', 'tax_amount', 'total_amount'] as const

/**
 * The reversals of each order in the books follow from the provider's facts, the order's own amounts and the state of
 * its card. So every account of an order that went back whole is 0.
 */
export async function reversalsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  const booked = new Map<string, Map<string, number>>()
  const currencies = new Map<string, string>()
  for (const { order_id: id, account, amount, currency } of await db
    .selectFrom('ledger_entries')
    .select(['order_id', 'account', sumOf('amount').as('amount')])
    .select(sql<string>`max(currency)`.as('currency'))
    .where('cause', '=', 'reversal')
    .groupBy(['order_id', 'account'])
    .execute()) {
    const key = id ?? ''
    currencies.set(key, currency)
    booked.set(key, (booked.get(key) ?? new Map<string, number>()).set(account, amount))
  }
  const known = await db
    .selectFrom('reversals')
    .innerJoin('orders', 'orders.id', 'reversals.order_id')
    .leftJoin('cards', 'cards.order_id', 'orders.id')
    .leftJoin('volunteering_cards', 'volunteering_cards.order_id', 'orders.id')
    .leftJoin('withdrawals', 'withdrawals.order_id', 'orders.id')
    .select('withdrawals.answer')
    .select(['orders.id', 'orders.kind', 'orders.currency', ...AMOUNTS])
    .select(['reversals.refunded', 'reversals.lost', 'reversals.taken'])
    .select(sql<CardStatus | null>`coalesce(cards.status, volunteering_cards.status)`.as('status'))
    .execute()
  const findings: Finding[] = []
  for (const row of known) {
    const { id, kind, taken, refunded, lost } = row
    const { price, net, tax } = amountsOf(row)
    const sale = { ngo: price.amount, net: net.amount, tax: tax.amount }
    const facts = { refunded, lostToDisputes: lost }
    const status = row.status ?? 'revoked'
    const isBack = isSupportBack(row.answer ?? undefined, supportLeft(facts, sale))
    const expected = reversalOf(status, facts, sale, taken, isBack)
    const found = entriesOf(booked.get(id), kind)
    booked.delete(id)
    if (taken !== takenOffCard(status, facts, sale, taken) || !isSame(expected, found))
      findings.push({
        rule: 'reversal-books-differ',
        subject: id,
        expected: expected.refunds,
        found: found.refunds,
        currency: row.currency,
      })
  }
  for (const [id, accounts] of booked)
    if ([...accounts.values()].some(amount => amount !== 0))
      findings.push({
        rule: 'reversal-books-differ',
        subject: id,
        expected: 0,
        found: accounts.get('refunds') ?? 0,
        currency: currencies.get(id)!,
      })
  return findings.slice(0, MOST)
}

/** The credit of a card stands on `cards`, the price of an invitation on `volunteering`. */
function entriesOf(accounts: ReadonlyMap<string, number> | undefined, kind: GiftKind): ReversalEntries {
  const of = (name: string) => accounts?.get(name) ?? 0
  return {
    refunds: of('refunds'),
    cards: of(GIFTS[kind].account),
    support: of('support'),
    tax: of('tax'),
    losses: of('losses'),
  }
}

function isSame(a: ReversalEntries, b: ReversalEntries): boolean {
  return (Object.keys(NO_REVERSAL) as (keyof ReversalEntries)[]).every(account => a[account] === b[account])
}
