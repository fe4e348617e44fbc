import { sql } from 'kysely'
import type { Currency } from '#domain/money/currency.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import type { Period } from '#domain/period.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** What a tax report says of the support in one currency at one rate; minor units. */
export interface VatLine {
  readonly currency: Currency
  /** Percent; null for orders from before the rate was kept, whose VAT is the tax that they were shown. */
  readonly rate: number | null
  /** Orders with support that were paid in the period. */
  readonly orders: number
  /** Their support, VAT included, and the VAT in it. */
  readonly support: number
  readonly vat: number
  /** What of support went back to buyers in the period, whenever it was paid, and the VAT in that. */
  readonly givenBack: number
  readonly vatBack: number
}

/** An order's VAT as it was quoted; what it was shown as tax where no rate was kept. */
const VAT = sql<number>`coalesce(orders.vat_amount, orders.tax_amount)`

/**
 * The VAT within the support of a period, by currency and rate. Amounts are the ones that were kept with each order when
 * it was quoted. A part that goes back takes its share of the order's VAT; parts sum to it when all is back.
 */
export async function readVat(db: Reader, { from, to }: Period): Promise<readonly VatLine[]> {
  const sold = await db
    .selectFrom('orders')
    .select(({ fn }) => [
      'orders.currency',
      'orders.vat_rate',
      fn.countAll<number>().as('orders'),
      sumOf('orders.support_amount').as('support'),
      sql<number>`cast(sum(${VAT}) as bigint)`.as('vat'),
    ])
    .where('orders.status', 'in', orderStatesOf('sold'))
    .where('orders.settled_at', '>=', from)
    .where('orders.settled_at', '<', to)
    .where('orders.support_amount', '>', 0)
    .groupBy(['orders.currency', 'orders.vat_rate'])
    .execute()
  const back = await db
    .selectFrom('ledger_entries')
    .innerJoin('orders', 'orders.id', 'ledger_entries.order_id')
    .select([
      'orders.id',
      'orders.currency',
      'orders.vat_rate',
      'orders.support_amount',
      VAT.as('vat'),
      sql<number>`cast(sum(case when ledger_entries.created_at < ${from} then -ledger_entries.amount else 0 end)
        as bigint)`.as('before'),
      sql<number>`cast(sum(-ledger_entries.amount) as bigint)`.as('until'),
    ])
    .where('ledger_entries.cause', '=', 'reversal')
    .where('ledger_entries.account', 'in', ['support', 'tax'])
    .where('ledger_entries.created_at', '<', to)
    .groupBy(['orders.id', 'orders.currency', 'orders.vat_rate', 'orders.support_amount', VAT])
    .execute()
  const lines = new Map<string, VatLine>()
  const add = (currency: Currency, rate: number | null, more: Partial<VatLine>) => {
    const key = `${currency} ${rate}`
    const line = lines.get(key) ?? { ...NOTHING, currency, rate: rate === null ? null : rate / 100 }
    const sum = (name: keyof typeof NOTHING) => line[name] + (more[name] ?? 0)
    lines.set(key, {
      ...line,
      orders: sum('orders'),
      support: sum('support'),
      vat: sum('vat'),
      givenBack: sum('givenBack'),
      vatBack: sum('vatBack'),
    })
  }
  for (const { currency, vat_rate: rate, ...sums } of sold) add(currency, rate, sums)
  for (const each of back) {
    const { before, until, support_amount: support, vat } = each
    if (before === until) continue
    const vatOf = (gone: number) => Math.round((vat * gone) / support)
    add(each.currency, each.vat_rate, {
      givenBack: until - before,
      vatBack: vatOf(until) - vatOf(before),
    })
  }
  return [...lines.values()].sort(
    (a, b) => a.currency.localeCompare(b.currency) || (a.rate ?? -1) - (b.rate ?? -1),
  )
}

const NOTHING = { orders: 0, support: 0, vat: 0, givenBack: 0, vatBack: 0 } as const
