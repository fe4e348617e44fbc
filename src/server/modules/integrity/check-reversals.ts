import { sql } from 'kysely'
import { GIFTS } from '#domain/card/gifts.ts'
import { type CardStatus, statusToWithdraw } from '#domain/card/states.ts'
import {
  NO_REVERSAL,
  type ReversalEntries,
  reversalOf,
  supportLeft,
  takenOffCard,
} from '#domain/money/reversal.ts'
import { isSupportAlone } from '#domain/money/reversal-parts.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { isAbout, placesNamed } from '#domain/withdrawal/cards.ts'
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
  // Of an order of many each card has books of its own.
  const subject = sql<string>`case when orders.card_count > 1
    then ledger_entries.order_id || '/' || coalesce(ledger_entries.card_id, '') else coalesce(ledger_entries.order_id, '') end`
  for (const { subject: key, account, amount, currency } of await db
    .selectFrom('ledger_entries')
    .leftJoin('orders', 'orders.id', 'ledger_entries.order_id')
    .select([subject.as('subject'), 'account', sumOf('amount').as('amount')])
    .select(sql<string>`max(ledger_entries.currency)`.as('currency'))
    .where('cause', '=', 'reversal')
    .groupBy([subject, 'account'])
    .execute()) {
    currencies.set(key, currency)
    booked.set(key, (booked.get(key) ?? new Map<string, number>()).set(account, amount))
  }
  const known = await db
    .selectFrom('reversals')
    .innerJoin('orders', 'orders.id', 'reversals.order_id')
    .leftJoin('cards', 'cards.order_id', 'orders.id')
    .leftJoin('card_reversals', 'card_reversals.card_id', 'cards.id')
    .leftJoin('volunteering_cards', 'volunteering_cards.order_id', 'orders.id')
    .leftJoin('card_holds', join =>
      join.onRef('card_holds.card_id', '=', 'cards.id').on('card_holds.reason', '=', 'draw'),
    )
    .select(['cards.position', 'card_holds.created_at as left_at'])
    .select(['orders.id', 'orders.kind', 'orders.currency', 'orders.card_count', ...AMOUNTS])
    .select(['reversals.refunded', 'reversals.lost', 'reversals.taken'])
    .select(['cards.id as card_id', 'card_reversals.refunded as card_refunded'])
    .select(['card_reversals.lost as card_lost', 'card_reversals.taken as card_taken'])
    .select(sql<CardStatus | null>`coalesce(cards.status, volunteering_cards.status)`.as('status'))
    .execute()
  const withdrawals = Map.groupBy(
    await db.selectFrom('withdrawals').select(['order_id', 'answer', 'cards']).execute(),
    ({ order_id: orderId }) => orderId,
  )
  const findings: Finding[] = [...partsAmiss(known)]
  for (const row of known) {
    const { kind, card_count: count } = row
    const isOneOfMany = count > 1
    const id = isOneOfMany ? `${row.id}/${row.card_id}` : row.id
    const { price, net, tax } = amountsOf(row)
    const sale = { ngo: price.amount / count, net: net.amount / count, tax: tax.amount / count }
    const { refunded, lost, taken } = isOneOfMany ? ofCard(row) : row
    const facts = { refunded, lostToDisputes: lost }
    const status = row.status ?? 'revoked'
    const asWithdrawn = { status: statusToWithdraw(status, row.left_at !== null), isOneOfMany }
    const isAlone = (withdrawals.get(row.id) ?? []).some(
      each =>
        isAbout({ cards: placesNamed(each.cards) }, row.position ?? 0) &&
        isSupportAlone(each.answer, asWithdrawn),
    )
    const isBack = isAlone && isSupportBack('support', supportLeft(facts, sale))
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

interface Row {
  readonly id: string
  readonly card_count: number
  readonly currency: string
  readonly refunded: number
  readonly lost: number
  readonly taken: number
  readonly card_refunded: number | null
  readonly card_lost: number | null
  readonly card_taken: number | null
}

const ofCard = (row: Row) => ({
  refunded: row.card_refunded ?? 0,
  lost: row.card_lost ?? 0,
  taken: row.card_taken ?? 0,
})

/** What went back of an order of many went back of its cards, to the cent. */
function partsAmiss(rows: readonly Row[]): readonly Finding[] {
  const many = Map.groupBy(
    rows.filter(({ card_count: count }) => count > 1),
    ({ id }) => id,
  )
  return [...many].flatMap(([id, cards]): Finding[] => {
    const [order] = cards
    const parts = cards.map(ofCard)
    return (['refunded', 'lost', 'taken'] as const).flatMap((what): Finding[] => {
      const found = parts.reduce((sum, part) => sum + part[what], 0)
      const expected = order?.[what] ?? 0
      if (found === expected) return []
      return [
        { rule: 'reversal-books-differ', subject: id, expected, found, currency: order?.currency ?? '' },
      ]
    })
  })
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
