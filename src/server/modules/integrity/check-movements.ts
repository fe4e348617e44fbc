import { sql } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import { borneBySupport } from '#domain/treasury/bearing.ts'
import { type Finding, type FindingRule, MOST } from '#server/modules/integrity/findings.ts'
import {
  AWAITED_FOR_MS,
  type AwaitedOfOrder,
  awaitedMovements,
} from '#server/modules/ledger/awaited-movements.ts'
import { MOVEMENT_CAUSE, setsOfMovement } from '#server/modules/ledger/movements.ts'
import { MOVEMENTS_READ, PAYOUT_OF_UNKNOWN_PARTS } from '#server/modules/ledger/movements-read.ts'
import { ORDERS_AT_ONCE, type OrderMoved, ordersMovedOtherwise } from '#server/modules/ledger/orders-moved.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** Rows that are read at once: a million of them do not fit into memory. */
const PAGE = 500

/** The books say of every movement what its row says, once, and of nothing else that it moved. */
export async function movementsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let after = ''; findings.length < MOST; ) {
    const page = await db
      .selectFrom('provider_movements')
      .select(['id', 'kind', 'order_id', 'currency', 'amount', 'fee'])
      .select(['charged_currency', 'charged_amount', 'borne', 'created_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    if (page.length === 0) break
    const lines = await linesOf(
      db,
      page.flatMap(row => setsOfMovement(row).map(({ id }) => id)),
    )
    for (const row of page) {
      const expected = setsOfMovement(row).flatMap(({ id, entries }) =>
        entries.map(([account, { amount, currency }]) =>
          line({ set_id: id, account, currency, amount, order_id: row.order_id }),
        ),
      )
      const found = setsOfMovement(row).flatMap(({ id }) => lines.get(id) ?? [])
      if (expected.sort().join() !== found.sort().join())
        findings.push({
          rule: 'movement-books-differ',
          subject: row.id,
          expected: expected.length,
          found: found.length,
        })
    }
    after = page.at(-1)!.id
  }
  const foreign = await db
    .selectFrom('ledger_entries')
    .select('set_id')
    .distinct()
    .where('cause', '=', MOVEMENT_CAUSE)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('provider_movements')
            .select('provider_movements.id')
            .where(
              sql<boolean>`${sql.lit(`${MOVEMENT_CAUSE}:`)} || provider_movements.id || ':' || ledger_entries.currency = ledger_entries.set_id`,
            )
            .whereRef(
              'provider_movements.id',
              '=',
              sql<string>`substr(ledger_entries.set_id, ${sql.lit(MOVEMENT_CAUSE.length + 2)}, length(ledger_entries.set_id) - ${sql.lit(MOVEMENT_CAUSE.length + 5)})`,
            ),
        ),
      ),
    )
    .limit(MOST)
    .execute()
  return [
    ...findings,
    ...foreign.map(row => ({ rule: 'movement-books-differ' as const, subject: row.set_id, expected: 0 })),
  ].slice(0, MOST)
}

interface Line {
  readonly set_id: string
  readonly account: string
  readonly currency: string
  readonly amount: number
  readonly order_id: string | null
}

const line = ({ set_id: set, account, currency, amount, order_id: order }: Line): string =>
  JSON.stringify([set, account, currency, amount, order])

async function linesOf(db: Reader, sets: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (sets.length === 0) return new Map()
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['set_id', 'account', 'currency', 'amount', 'order_id'])
    .where('cause', '=', MOVEMENT_CAUSE)
    .where('set_id', 'in', sets)
    .execute()
  const bySet = Map.groupBy(rows, ({ set_id: set }) => set)
  return new Map([...bySet].map(([set, some]) => [set, some.map(line)]))
}

/** Until when everything that the provider says was read, epoch ms UTC; undefined before the first time. */
async function readUntil(db: Reader): Promise<number | undefined> {
  const seen = await db
    .selectFrom('sightings')
    .select('at')
    .where('name', '=', MOVEMENTS_READ)
    .executeTakeFirst()
  return seen?.at
}

/**
 * What the provider moved of each order's payment is what was paid, less what went back by the books: so a movement
 * that is missing, or is there twice under two ids, is found. Money that an open dispute holds is not back yet. An
 * order waits if the books changed after the last complete reading, and as long as the provider itself says of exactly
 * what is missing that it has not moved it yet: after a time that is a finding too.
 */
export async function movementsAmiss(db: Reader): Promise<readonly Finding[]> {
  const until = await readUntil(db)
  if (until === undefined) return []
  const awaited = await awaitedMovements(db)
  const findings: Finding[] = []
  for (let after = ''; findings.length < MOST; ) {
    const page = await ordersMovedOtherwise(db, { until, after })
    for (const order of page) {
      const rule = ruleBroken(order, awaited.get(order.id), until)
      if (rule !== undefined)
        findings.push({
          rule,
          subject: order.id,
          expected: order.isSold ? order.total - order.refunded - order.lost : 0,
          found: (order.moved ?? 0) + order.disputed,
          currency: order.currency,
        })
    }
    if (page.length < ORDERS_AT_ONCE) break
    after = page.at(-1)!.id
  }
  return findings.slice(0, MOST)
}

function ruleBroken(
  order: OrderMoved,
  awaited: AwaitedOfOrder | undefined,
  until: number,
): FindingRule | undefined {
  if (awaited !== undefined && isExplained(order, awaited))
    return until - awaited.since > AWAITED_FOR_MS ? 'movement-late' : undefined
  return order.moved === null ? 'movement-missing' : 'movement-differs'
}

/** Would the order agree to the cent if what is awaited had moved? */
function isExplained(order: OrderMoved, { paid, disputed }: AwaitedOfOrder): boolean {
  const held = order.disputed + disputed
  return (
    order.isSold &&
    (order.moved ?? 0) + paid === order.total - order.refunded &&
    (held === 0 - order.lost || (order.isHeld && held < 0 - order.lost))
  )
}

/** The support of each order bears of its fees what the rule says, and no more. */
export async function feesBorneWrong(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let after = ''; findings.length < MOST; ) {
    const orders = await db
      .selectFrom('orders')
      .innerJoin('provider_movements as m', 'm.order_id', 'orders.id')
      .select(['orders.id', 'orders.support_amount', 'orders.tax_amount'])
      .distinct()
      .where('orders.id', '>', after)
      .orderBy('orders.id')
      .limit(PAGE)
      .execute()
    if (orders.length === 0) break
    const rows = await db
      .selectFrom('provider_movements')
      .select(['order_id', 'kind', 'currency', 'amount', 'fee', 'borne', 'charged_amount as charged'])
      .where('order_id', '>=', orders[0]!.id)
      .where('order_id', '<=', orders.at(-1)!.id)
      .execute()
    const byOrder = Map.groupBy(rows, row => row.order_id)
    for (const { id, support_amount: support, tax_amount: tax } of orders) {
      const some = byOrder.get(id) ?? []
      const expected = borneBySupport(some, support - tax)
      const found = some.reduce((sum, { borne }) => sum + borne, 0)
      const { currency } = some[0]!
      if (expected !== found)
        findings.push({ rule: 'fee-borne-differs', subject: id, expected, found, currency })
    }
    after = orders.at(-1)!.id
  }
  return findings.slice(0, MOST)
}

/** The movements of a provider's payout sum to its amount, where its movements can be known. */
export async function providerPayoutsAmiss(db: Reader): Promise<readonly Finding[]> {
  const until = (await readUntil(db)) ?? 0
  const unknown = sql<boolean>`exists (select 1 from sightings
    where sightings.name = ${sql.lit(PAYOUT_OF_UNKNOWN_PARTS)} || payout.id)`
  const rows = await db
    .selectFrom('provider_movements as payout')
    .leftJoin('provider_payout_parts as parts', 'parts.payout_movement_id', 'payout.id')
    .leftJoin('provider_movements as part', 'part.id', 'parts.movement_id')
    .select(['payout.id', 'payout.net', 'payout.currency', 'payout.created_at'])
    .select([sql<number>`count(part.id)`.as('parts'), sumOf('part.net').as('found')])
    .select(
      sql<number>`coalesce(sum(case when part.currency <> payout.currency then 1 else 0 end), 0)`.as(
        'foreign',
      ),
    )
    .where('payout.kind', '=', 'payout')
    .where(eb => eb.or([eb('parts.movement_id', 'is not', null), eb.not(unknown)]))
    .groupBy(['payout.id', 'payout.net', 'payout.currency', 'payout.created_at'])
    .having(
      sql<boolean>`${sumOf('part.net')} <> -payout.net
        or coalesce(sum(case when part.currency <> payout.currency then 1 else 0 end), 0) > 0`,
    )
    .limit(MOST)
    .execute()
  return (
    rows
      // Its movements are asked for once it has arrived.
      .filter(row => Number(row.parts) > 0 || row.created_at < until - DAY_MS)
      .map(row => ({
        rule: 'provider-payout-differs',
        subject: row.id,
        expected: 0 - row.net,
        found: row.found,
        currency: row.currency,
      }))
  )
}

/**
 * Per currency: what the books say is at the provider, at the bank, kept and converted is what the movements come to.
 * The fees and the operator's account together hold all that the provider kept and moved for no order.
 */
export async function movementTotals(db: Reader): Promise<readonly Finding[]> {
  const books = new Map<string, number>()
  for (const { currency, account, total } of await db
    .selectFrom('ledger_entries')
    .select(['currency', 'account', sumOf('amount').as('total')])
    .where('cause', '=', MOVEMENT_CAUSE)
    .groupBy(['currency', 'account'])
    .execute())
    books.set(`${currency} ${account}`, total)
  const moved = await db
    .selectFrom('provider_movements')
    .select(['currency', sumOf('net').as('net'), sumOf('borne').as('borne')])
    .select(
      sql<number>`cast(coalesce(sum(case when kind in ('payout', 'payout-failure') then amount else 0 end), 0) as bigint)`.as(
        'bank',
      ),
    )
    .groupBy('currency')
    .execute()
  const charged = await db
    .selectFrom('provider_movements')
    .select(['charged_currency as currency', sumOf('charged_amount').as('total')])
    .where('order_id', 'is not', null)
    .groupBy('charged_currency')
    .execute()
  const findings: Finding[] = []
  const currencies = new Set([
    ...[...books.keys()].map(key => key.slice(0, key.indexOf(' '))),
    ...moved.map(({ currency }) => currency),
    ...charged.map(({ currency }) => currency),
  ])
  for (const currency of currencies) {
    const booked = (account: string) => books.get(`${currency} ${account}`) ?? 0
    const here = moved.find(each => each.currency === currency)
    const paid = charged.find(each => each.currency === currency)?.total ?? 0
    const pairs: readonly (readonly [string, number, number])[] = [
      ['at the provider', here?.net ?? 0, paid - booked('payments')],
      ['paid out by the provider', 0 - (here?.bank ?? 0), 0 - booked('bank')],
      ['fees', here?.borne ?? 0, 0 - booked('fees')],
    ]
    for (const [what, expected, found] of pairs)
      if (expected !== found)
        findings.push({ rule: 'totals-differ', subject: `${currency} ${what}`, expected, found, currency })
  }
  return findings
}
