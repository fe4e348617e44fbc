import type Stripe from 'stripe'
import { type Currency, isCurrency } from '#domain/money/currency.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { isOfPayment, movementKindOf } from '#domain/treasury/movement.ts'
import { MOVEMENTS_READ } from '#server/modules/ledger/movements-read.ts'
import { asking } from '#server/modules/payments/provider.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { bookMovement, type ToldMovement } from './book.ts'
import type { TreasuryDependencies } from './dependencies.ts'
import { keepPayoutParts } from './payout-parts.ts'

const HOUR_MS = 3_600_000
/** What happened just now may not be in the provider's list yet, and its event is on its way to us. */
const LAG_MS = 10 * 60_000
/** Looked at again by the next run, should something have come into the list late. */
const OVERLAP_MS = 6 * HOUR_MS
/** So much of the provider's list is read at once. */
const WINDOW_MS = 7 * 24 * HOUR_MS

export interface ReadFacts {
  /** Movements that were booked. */
  readonly movements: number
  /** Payouts of which it is known now what they are made of. */
  readonly payouts: number
}

/**
 * Reads what moved the provider's balance since the last time, and books it: the oldest first, each in a transaction of
 * its own, so that it can be stopped anywhere and goes on where it was. For one process at a time.
 * Problems: provider-unavailable.
 * @param goOn called between two movements' transactions, and waited for
 */
export async function readMovements(
  deps: TreasuryDependencies,
  goOn: () => Promise<void> = async () => {},
): Promise<ReadFacts> {
  const { db, clock } = deps
  const begin = await db.read(beginning)
  let movements = 0
  // Before the first sale nothing moves.
  if (begin !== undefined) {
    const until = clock() - LAG_MS
    for (let from = begin; from < until; from += WINDOW_MS) {
      const to = Math.min(from + WINDOW_MS, until)
      movements += await readWindow(deps, from, to, goOn)
      await db.transaction(trx => noteRead(trx, to))
    }
  }
  return { movements, payouts: await keepPayoutParts(deps, goOn) }
}

/** From where on the provider's list is read, epoch ms UTC; undefined where nothing was ever sold. */
async function beginning(db: Reader): Promise<number | undefined> {
  const seen = await db
    .selectFrom('sightings')
    .select('at')
    .where('name', '=', MOVEMENTS_READ)
    .executeTakeFirst()
  if (seen) return seen.at - OVERLAP_MS
  const first = await db
    .selectFrom('orders')
    .select('created_at')
    .where('status', 'in', orderStatesOf('sold'))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return first && first.created_at - OVERLAP_MS
}

/** Never backwards: a clock that was put back reads what it knows again, and no harm is done. */
async function noteRead(trx: Writer, at: number): Promise<void> {
  await trx
    .insertInto('sightings')
    .values({ name: MOVEMENTS_READ, at })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ at }).where('sightings.at', '<', at))
    .execute()
}

async function readWindow(
  deps: TreasuryDependencies,
  from: number,
  to: number,
  goOn: () => Promise<void>,
): Promise<number> {
  const { db, stripe, log, keys, clock } = deps
  const created = { gte: Math.floor(from / 1000), lt: Math.ceil(to / 1000) }
  const newestFirst = await asking(log, () =>
    Array.fromAsync(stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })),
  )
  const told = newestFirst.reverse()
  const known = await db.read(reader => knownOf(reader, told))
  /** Charges whose card and books are known to agree with the provider in this run. */
  const followed = new Set<string>()
  let booked = 0
  for (const transaction of told) {
    if (known.has(transaction.id)) continue
    if (!isCurrency(transaction.currency.toUpperCase())) {
      const alarm = 'provider-currency-unknown'
      log.error(alarm, new Error(alarm), {
        movement: transaction.id,
        currency: transaction.currency.toUpperCase(),
      })
      continue
    }
    const movement = await db.read(reader => movementOf(reader, transaction))
    if (movement.order_id !== null && movement.kind !== 'charge' && movement.charge_id !== null) {
      // Its event may have been lost: what went back at the provider went back in the books first.
      if (!followed.has(movement.charge_id)) await applyReversals(deps, movement.charge_id)
      followed.add(movement.charge_id)
    }
    if (await db.transaction(trx => bookMovement(trx, keys, movement, clock()))) booked++
    await goOn()
  }
  return booked
}

const AT_ONCE = 500

async function knownOf(db: Reader, told: readonly Stripe.BalanceTransaction[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let n = 0; n < told.length; n += AT_ONCE) {
    const ids = told.slice(n, n + AT_ONCE).map(({ id }) => id)
    const rows = await db.selectFrom('provider_movements').select('id').where('id', 'in', ids).execute()
    for (const { id } of rows) known.add(id)
  }
  return known
}

/** What a balance transaction is to us. @throws Error where its currency is none of ours: nobody could book it */
async function movementOf(db: Reader, told: Stripe.BalanceTransaction): Promise<ToldMovement> {
  const source = typeof told.source === 'string' || told.source === null ? undefined : told.source
  const kind = movementKindOf(told.reporting_category)
  const currency = currencyOf(told.currency)
  const charge = isOfPayment(kind) ? chargeOf(source) : undefined
  const orderId = charge && (await orderOf(db, charge))
  const charged =
    orderId !== undefined && source !== undefined && 'currency' in source && 'amount' in source
      ? {
          charged_currency: currencyOf(String(source.currency)),
          // A charge, a refund and a dispute say how much; the transaction says which way it went.
          charged_amount: Math.sign(told.amount) * Number(source.amount),
        }
      : { charged_currency: currency, charged_amount: told.amount }
  return {
    id: told.id,
    kind,
    type: told.type,
    currency,
    amount: told.amount,
    fee: told.fee,
    net: told.net,
    ...charged,
    exchange_rate: told.exchange_rate === null ? null : String(told.exchange_rate),
    fee_details: JSON.stringify(
      told.fee_details.map(({ type, amount, description }) => ({ type, amount, description })),
    ),
    source_id: typeof told.source === 'string' ? told.source : (told.source?.id ?? null),
    charge_id: charge?.id ?? null,
    order_id: orderId ?? null,
    created_at: told.created * 1000,
    available_at: told.available_on * 1000,
  }
}

function currencyOf(word: string): Currency {
  const currency = word.toUpperCase()
  if (isCurrency(currency)) return currency
  throw new Error(`The provider's balance moved in ${currency}, which the books do not keep.`)
}

interface ChargeOfMovement {
  readonly id: string
  /** As the charge itself says; a refund or a dispute does not. */
  readonly orderId?: string | undefined
}

function chargeOf(source: Exclude<Stripe.BalanceTransaction['source'], string | null> | undefined) {
  if (source === undefined) return undefined
  if (source.object === 'charge') {
    const found: ChargeOfMovement = { id: source.id, orderId: source.metadata.order_id }
    return found
  }
  if (source.object !== 'refund' && source.object !== 'dispute') return undefined
  const { charge } = source
  if (charge === null) return undefined
  const found: ChargeOfMovement = { id: typeof charge === 'string' ? charge : charge.id }
  return found
}

/** The order of ours that a charge paid; undefined where something else was sold through the same account. */
async function orderOf(db: Reader, { id, orderId }: ChargeOfMovement): Promise<string | undefined> {
  if (orderId !== undefined) {
    const order = await db.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst()
    return order?.id
  }
  const charge = await db
    .selectFrom('provider_movements')
    .select('order_id')
    .where('charge_id', '=', id)
    .where('kind', '=', 'charge')
    .executeTakeFirst()
  return charge?.order_id ?? undefined
}
