import type Stripe from 'stripe'
import { type Currency, isCurrency } from '#domain/money/currency.ts'
import { isProblem } from '#domain/problems.ts'
import { isOfPayment, movementKindOf } from '#domain/treasury/movement.ts'
import { asking, providerIdOf } from '#server/modules/payments/provider.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { bookMovement, type ToldMovement } from './book.ts'
import type { TreasuryDependencies } from './dependencies.ts'

/**
 * Books one balance transaction, in a transaction of its own. One in a currency that the books do not keep is left out,
 * and one of a kind that no rule knows is booked as `other`; both raise an alarm.
 * Problems: provider-unavailable.
 * @param told with its source
 * @param followed charges whose card and books agree with the provider already; it grows
 * @returns whether it was booked now
 */
export async function takeMovement(
  deps: TreasuryDependencies,
  told: Stripe.BalanceTransaction,
  followed: Set<string>,
): Promise<boolean> {
  const { db, log, keys, clock } = deps
  const currency = told.currency.toUpperCase()
  if (!isCurrency(currency)) {
    const alarm = 'provider-currency-unknown'
    const facts = { movement: told.id, currency }
    // Before the reading goes on: it does not come here again.
    await db.transaction(async trx => log.queueAlarm?.(trx, alarm, facts))
    log.error(alarm, new Error(alarm), facts)
    return false
  }
  const movement = movementOf(told, await orderOf(deps, told))
  if (movement.order_id !== null && movement.kind !== 'charge' && movement.charge_id !== null) {
    // Its event may have been lost: what went back at the provider went back in the books first.
    const { charge_id: chargeId } = movement
    if (!followed.has(chargeId)) await ofCharge(deps, chargeId, () => applyReversals(deps, chargeId))
    followed.add(chargeId)
  }
  const unknown = 'provider-movement-unknown'
  const facts = {
    movement: told.id,
    type: told.type,
    category: told.reporting_category,
    amount: told.net,
    currency,
  }
  const isUnknown = movement.kind === 'other'
  const isNew = await db.transaction(async trx => {
    // A movement that is in the books is never looked at again.
    if (isUnknown) await log.queueAlarm?.(trx, unknown, facts)
    return bookMovement(trx, keys, movement, clock())
  })
  if (isUnknown) log.error(unknown, new Error(unknown), facts)
  return isNew
}

const AT_ONCE = 500

/** Those of the ids that are booked. */
export async function knownMovements(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (let n = 0; n < ids.length; n += AT_ONCE) {
    const some = ids.slice(n, n + AT_ONCE)
    const rows = await db.selectFrom('provider_movements').select('id').where('id', 'in', some).execute()
    for (const { id } of rows) known.add(id)
  }
  return known
}

/**
 * What a balance transaction is to us. @throws Error where its currency is none of ours: nobody could book it
 * @param orderId the order of ours that its charge paid
 */
function movementOf(told: Stripe.BalanceTransaction, orderId: string | undefined): ToldMovement {
  const source = sourceOf(told)
  const kind = movementKindOf(told.reporting_category)
  const currency = currencyOf(told.currency)
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
    source_id: providerIdOf(told.source),
    charge_id: chargeOf(told)?.id ?? null,
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
  /** As the charge itself says, null for none; a refund or a dispute does not. */
  readonly orderId?: string | null
}

const sourceOf = ({ source }: Stripe.BalanceTransaction) =>
  typeof source === 'string' || source === null ? undefined : source

/** The charge of a movement of a payment; undefined for what is of none. */
function chargeOf(told: Stripe.BalanceTransaction): ChargeOfMovement | undefined {
  const source = sourceOf(told)
  if (source === undefined || !isOfPayment(movementKindOf(told.reporting_category))) return undefined
  if (source.object === 'charge') {
    return { id: source.id, orderId: source.metadata.order_id ?? null }
  }
  if (source.object !== 'refund' && source.object !== 'dispute') return undefined
  const id = providerIdOf(source.charge)
  return id === null ? undefined : { id }
}

/**
 * The order of ours whose payment moved; undefined where something else was sold through the same account. What a refund
 * or a dispute moved is booked once and for all, so a charge that was never read here is asked for.
 */
async function orderOf(
  deps: TreasuryDependencies,
  told: Stripe.BalanceTransaction,
): Promise<string | undefined> {
  const { db } = deps
  const charge = chargeOf(told)
  if (charge === undefined) return undefined
  let named = charge.orderId
  if (named === undefined) {
    const known = await db.read(reader => orderOfKnown(reader, charge.id))
    if (known !== undefined) return known ?? undefined
    named = await orderToldBy(deps, charge.id)
  }
  if (named === null) return undefined
  const id = named
  const order = await db.read(reader =>
    reader.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(),
  )
  return order?.id
}

/** The order that a charge names; null where it names none, or the provider knows it no more. */
const orderToldBy = (deps: TreasuryDependencies, chargeId: string): Promise<string | null> =>
  ofCharge(deps, chargeId, async () => {
    const charge = await asking(deps.log, () => deps.stripe.charges.retrieve(chargeId))
    return charge.metadata.order_id ?? null
  })

/** Asks about a charge. One that the provider knows no more keeps no other movement from being read. @returns null for it */
async function ofCharge<T>(
  { log }: TreasuryDependencies,
  chargeId: string,
  ask: () => Promise<T>,
): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!isProblem(error) || error.code !== 'payment-not-found') throw error
    log.error('charge-of-movement-missing', error, { charge: chargeId })
    return null
  }
}

/** The order of a charge that was read or settled; null where it paid none of ours, undefined where it is not known. */
async function orderOfKnown(db: Reader, chargeId: string): Promise<string | null | undefined> {
  const kept = await db
    .selectFrom('charges')
    .select('order_id')
    .where('charge_id', '=', chargeId)
    .executeTakeFirst()
  if (kept) return kept.order_id
  const read = await db
    .selectFrom('provider_movements')
    .select('order_id')
    .where('charge_id', '=', chargeId)
    .where('kind', '=', 'charge')
    .executeTakeFirst()
  return read?.order_id
}
