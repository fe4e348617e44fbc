import { sql } from 'kysely'
import { CARD_STATUSES, isUnused } from '#domain/card/states.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import { INVOICE_CAUSE } from '#server/modules/ledger/invoices.ts'
import { MOVEMENT_CAUSE } from '#server/modules/ledger/movements.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/**
 * Compares the books with what they tell of, per currency: what was paid is what the paid orders came to, what
 * is owed is on the cards, what was given was allocated; and
 * paid + campaign = allocated + outstanding + refunded + support + tax + volunteering.
 */
export async function checkTotals(db: Reader): Promise<readonly Finding[]> {
  const books = await bookTotals(db)
  const paid = await paidTotals(db)
  const cards = await outstandingTotals(db)
  const given = await allocatedTotals(db)
  const volunteering = await volunteeringTotals(db)
  const findings: Finding[] = []
  for (const currency of new Set([
    ...books.keys(),
    ...paid.keys(),
    ...cards.keys(),
    ...given.keys(),
    ...volunteering.keys(),
  ])) {
    const of = (account: string) => books.get(currency)?.get(account) ?? 0
    const allocated = of(NGO_ACCOUNT) + of('payouts-open') + of('payouts')
    const spent =
      allocated + of('cards') + of('refunds') + of('support') + of('tax') + of('volunteering') + of('losses')
    const pairs: readonly (readonly [string, number, number])[] = [
      ['paid', paid.get(currency) ?? 0, -of('payments')],
      ['outstanding', cards.get(currency) ?? 0, of('cards')],
      ['allocated', given.get(currency) ?? 0, allocated],
      ['volunteering', volunteering.get(currency) ?? 0, of('volunteering')],
      ['everything', -of('payments') - of('campaign'), spent],
    ]
    for (const [what, expected, found] of pairs) {
      if (expected !== found) {
        findings.push({ rule: 'totals-differ', subject: `${currency} ${what}`, expected, found, currency })
      }
    }
  }
  return findings
}

/** Per currency the sum of each account, all organisations in one. */
async function bookTotals(db: Reader): Promise<Map<string, Map<string, number>>> {
  const group = sql<string>`case when substr(account, 1, ${sql.lit(NGO_ACCOUNT.length)}) = ${sql.lit(NGO_ACCOUNT)} then ${sql.lit(NGO_ACCOUNT)} else account end`
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['currency', group.as('group'), sumOf('amount').as('total')])
    // Movements at the provider and the bank do not change what was sold and owed; other rules check them.
    .where('cause', 'not in', [MOVEMENT_CAUSE, INVOICE_CAUSE])
    .groupBy(['currency', group])
    .execute()
  const totals = new Map<string, Map<string, number>>()
  for (const { currency, group, total } of rows) {
    totals.set(currency, (totals.get(currency) ?? new Map()).set(group, total))
  }
  return totals
}

async function paidTotals(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('orders')
    .select(['currency', sumOf('total_amount').as('total')])
    .where('status', 'in', orderStatesOf('sold'))
    .groupBy('currency')
    .execute()
  return perCurrency(rows)
}

async function outstandingTotals(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('cards')
    .select(['currency', sumOf('credit').as('total')])
    .where('status', 'in', CARD_STATUSES.filter(isUnused))
    .groupBy('currency')
    .execute()
  return perCurrency(rows)
}

/** The prices of invitations that were not given back, less what disputes took. */
async function volunteeringTotals(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('volunteering_cards')
    .innerJoin('orders', 'orders.id', 'volunteering_cards.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'orders.id')
    .select([
      'orders.currency',
      sql<number>`cast(coalesce(sum(orders.ngo_amount - coalesce(reversals.taken, 0)), 0) as bigint)`.as(
        'total',
      ),
    ])
    .where('volunteering_cards.status', '<>', 'revoked')
    .groupBy('orders.currency')
    .execute()
  return perCurrency(rows)
}

async function allocatedTotals(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('allocations')
    .select(['currency', sumOf('amount').as('total')])
    .groupBy('currency')
    .execute()
  return perCurrency(rows)
}

function perCurrency(rows: readonly { currency: string; total: number }[]): Map<string, number> {
  return new Map(rows.map(({ currency, total }) => [currency, total]))
}
