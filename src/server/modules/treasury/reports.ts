import { sql } from 'kysely'
import { dayInUtc } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { MovementKind } from '#domain/treasury/movement.ts'
import { INVOICE_CAUSE } from '#server/modules/ledger/invoices.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

const count = sql<number>`count(*)`

/** One payout of the provider to the bank. Amounts in minor units. */
export interface ProviderPayout {
  /** The provider's id of the payout; of its movement where it has none. */
  readonly id: string
  readonly movement: string
  readonly currency: Currency
  readonly amount: number
  /** Epoch ms UTC. */
  readonly at: number
  /** Of how many movements it is made; 0 while that is not known. */
  readonly parts: number
}

/** Every payout of the provider, the newest first. */
export async function providerPayouts(db: Reader): Promise<readonly ProviderPayout[]> {
  const rows = await db
    .selectFrom('provider_movements as payout')
    .leftJoin('provider_payout_parts as parts', 'parts.payout_movement_id', 'payout.id')
    .select(['payout.id', 'payout.source_id', 'payout.currency', 'payout.amount', 'payout.created_at'])
    .select(sql<number>`count(parts.movement_id)`.as('parts'))
    .where('payout.kind', '=', 'payout')
    .groupBy(['payout.id', 'payout.source_id', 'payout.currency', 'payout.amount', 'payout.created_at'])
    .orderBy('payout.created_at', 'desc')
    .orderBy('payout.id')
    .execute()
  return rows.map(row => ({
    id: row.source_id ?? row.id,
    movement: row.id,
    currency: row.currency,
    amount: 0 - row.amount,
    at: row.created_at,
    parts: row.parts,
  }))
}

/** A movement of which a payout is made. Amounts in minor units of the payout's currency. */
export interface PayoutPart {
  readonly movement: string
  readonly kind: MovementKind
  readonly source: string | null
  readonly charge: string | null
  readonly order: string | null
  readonly amount: number
  readonly fee: number
  readonly net: number
  /** What the buyer paid or got back. */
  readonly charged: { readonly amount: number; readonly currency: Currency }
  readonly rate: string | null
  readonly at: number
}

export interface PayoutAccount extends ProviderPayout {
  /** In the order in which they happened; they sum to the payout. */
  readonly made: readonly PayoutPart[]
}

/**
 * What one payout is made of.
 * @param id the provider's, of the payout or of its movement
 * @returns undefined where there is none
 */
export async function payoutAccount(db: Reader, id: string): Promise<PayoutAccount | undefined> {
  const payout = (await providerPayouts(db)).find(each => each.id === id || each.movement === id)
  if (payout === undefined) return undefined
  const rows = await db
    .selectFrom('provider_payout_parts as parts')
    .innerJoin('provider_movements as m', 'm.id', 'parts.movement_id')
    .selectAll('m')
    .where('parts.payout_movement_id', '=', payout.movement)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  return {
    ...payout,
    made: rows.map(row => ({
      movement: row.id,
      kind: row.kind,
      source: row.source_id,
      charge: row.charge_id,
      order: row.order_id,
      amount: row.amount,
      fee: row.fee,
      net: row.net,
      charged: { amount: row.charged_amount, currency: row.charged_currency },
      rate: row.exchange_rate,
      at: row.created_at,
    })),
  }
}

/** What the provider kept in one month and currency, minor units. */
export interface MonthOfFees {
  /** `2026-11`, UTC. */
  readonly month: string
  readonly currency: Currency
  /** Of payments and what went back of them. */
  readonly payments: number
  readonly disputes: number
  /** Of nothing in particular: what the provider asks for its other services, and of other sales. */
  readonly other: number
  /** What the support bears of all of it; the operator bears the rest. */
  readonly borneBySupport: number
}

/** The provider's fees by month, the oldest first. */
export async function feesByMonth(db: Reader): Promise<readonly MonthOfFees[]> {
  // Whole days since 1970: both engines divide integers alike, and a year has few of them.
  const day = sql<number>`created_at / ${sql.lit(DAY_MS)}`
  const rows = await db
    .selectFrom('provider_movements')
    .select([day.as('day'), 'currency', 'kind'])
    .select(sql<number>`case when order_id is null then 0 else 1 end`.as('ours'))
    .select([sumOf('fee').as('fee'), sumOf('amount').as('amount'), sumOf('borne').as('borne')])
    .groupBy([day, 'currency', 'kind', sql`case when order_id is null then 0 else 1 end`])
    .execute()
  const months = new Map<string, MonthOfFees>()
  for (const row of rows) {
    const month = dayInUtc(row.day * DAY_MS).slice(0, 7)
    const key = `${month} ${row.currency}`
    const sum = months.get(key) ?? {
      month,
      currency: row.currency,
      payments: 0,
      disputes: 0,
      other: 0,
      borneBySupport: 0,
    }
    const kept = row.fee - (row.kind === 'fee' ? row.amount : 0)
    const column =
      row.ours === 0 ? 'other' : row.kind.startsWith('dispute') ? 'disputes' : ('payments' as const)
    months.set(key, {
      ...sum,
      [column]: sum[column] + kept,
      borneBySupport: sum.borneBySupport + row.borne,
    })
  }
  return [...months.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum)
    .filter(
      ({ payments, disputes, other, borneBySupport }) => payments || disputes || other || borneBySupport,
    )
}

/** Where the money of one currency is by the books, minor units. */
export interface Position {
  readonly currency: Currency
  /** The provider's balance, by its movements. */
  readonly atProvider: number
  /** What buyers paid and the balance does not hold: not read yet, or held by open disputes. */
  readonly onItsWay: number
  /** Paid out by the provider, less what came back. */
  readonly paidOut: number
  /** Paid into the bank by invoice, less what was transferred back. */
  readonly byInvoice: number
  /** Of both paid to organisations. */
  readonly toOrganisations: number
  /** What is left at the bank; less than 0 where organisations were paid with other money. */
  readonly atBank: number
  /** Movements that were read. */
  readonly movements: number
}

/** @returns a line for each currency in which something moved or was sold */
export async function positions(db: Reader): Promise<readonly Position[]> {
  const books = await db
    .selectFrom('ledger_entries')
    .select(['currency', 'account', sumOf('amount').as('sum')])
    .select(
      sql<number>`cast(coalesce(sum(case when cause = ${sql.lit(INVOICE_CAUSE)} then amount else 0 end), 0) as bigint)`.as(
        'invoiced',
      ),
    )
    .where('account', 'in', ['payments', 'refunds', 'bank', 'payouts'])
    .groupBy(['currency', 'account'])
    .execute()
  const moved = await db
    .selectFrom('provider_movements')
    .select(['currency', sumOf('net').as('net'), count.as('movements')])
    .groupBy('currency')
    .execute()
  const currencies = [...new Set([...books, ...moved].map(({ currency }) => currency))].sort()
  return currencies.map(currency => {
    const of = (account: string) =>
      books.find(each => each.currency === currency && each.account === account)?.sum ?? 0
    const here = moved.find(each => each.currency === currency)
    const atProvider = here?.net ?? 0
    const bank = books.find(each => each.currency === currency && each.account === 'bank')
    const byInvoice = 0 - (bank?.invoiced ?? 0)
    const paidOut = 0 - of('bank') - byInvoice
    return {
      currency,
      atProvider,
      onItsWay: 0 - of('payments') - of('refunds') - atProvider,
      paidOut,
      byInvoice,
      toOrganisations: of('payouts'),
      atBank: paidOut + byInvoice - of('payouts'),
      movements: here?.movements ?? 0,
    }
  })
}
