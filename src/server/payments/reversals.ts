import type Stripe from 'stripe'
import type { CardStatus } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import { splitTax } from '#domain/money/tax.ts'
import type { Reader, Writer } from '#server/db/database.ts'
import type { VolunteeringCard } from '#server/db/schema.ts'
import { post } from '#server/ledger/post.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { type Card, lockCard, lockVolunteeringCard } from './locked-card.ts'
import { type Order, orderById } from './orders.ts'
import { asking } from './provider.ts'
import {
  type ChargeFacts,
  difference,
  NO_REVERSAL,
  type ReversalEntries,
  reversalOf,
  type SaleAmounts,
  statusFor,
} from './reversal-entries.ts'

const CAUSE = 'reversal'
/** Asking again until nothing changed; a charge that changes this often within a second is a provider gone mad. */
const ROUNDS = 5

/**
 * Makes a card and the books agree with its charge as it is now: refunds, refunds that failed, disputes opened,
 * won and lost (decisions §7). Events only say that something may have changed; they repeat and arrive in any
 * order, so the state comes from the provider, and what was written is compared with a second look afterwards:
 * of two that run at once, the one that writes last has looked last.
 */
export async function applyReversals(deps: PaymentsDependencies, chargeId: string): Promise<void> {
  let facts = await factsOf(deps, chargeId)
  for (let round = 0; round < ROUNDS; round++) {
    await write(deps, chargeId, facts)
    const now = await factsOf(deps, chargeId)
    if (JSON.stringify(now) === JSON.stringify(facts)) return
    facts = now
  }
}

interface Facts extends ChargeFacts {
  readonly orderId: string | null
}

/** What the provider says of the charge now. */
async function factsOf({ stripe, log }: PaymentsDependencies, chargeId: string): Promise<Facts> {
  const [charge, refunds, disputes] = await asking(log, () =>
    Promise.all([
      stripe.charges.retrieve(chargeId),
      stripe.refunds.list({ charge: chargeId, limit: 100 }),
      stripe.disputes.list({ charge: chargeId, limit: 100 }),
    ]),
  )
  const lost = disputes.data.filter(({ status }) => status === 'lost')
  return {
    orderId: charge.metadata.order_id ?? null,
    refunded: sum(refunds.data.filter(({ status }) => status !== 'failed' && status !== 'canceled')),
    lostToDisputes: sum(lost),
    isDisputed: disputes.data.some(isOpen),
  }
}

function isOpen({ status }: Stripe.Dispute): boolean {
  return !['won', 'lost', 'warning_closed', 'prevented'].includes(status)
}

async function write(deps: PaymentsDependencies, chargeId: string, facts: Facts): Promise<void> {
  const { db, log, clock } = deps
  const { orderId } = facts
  // Something else sold through the same account.
  if (orderId === null) return
  const change = await db.transaction(async trx => {
    const order = await orderById(trx, orderId)
    const card =
      order?.kind === 'volunteering'
        ? await lockVolunteeringCard(trx, 'order_id', orderId)
        : await lockCard(trx, 'order_id', orderId)
    if (!card || !order) return undefined
    return writeTo(trx, { card, order, facts, now: clock() })
  })
  if (!change) return
  const told = { order: orderId, refunded: facts.refunded, lost: facts.lostToDisputes, card: change.status }
  log.info('payment-reversed', told)
  if (change.isLoss) {
    // A person has to look: money went back that the card, or the product, still owes.
    log.error('payment-reversed-at-a-loss', new Error(`charge ${chargeId}`), told)
  }
}

interface Subject {
  readonly card: Card | VolunteeringCard
  readonly order: Order
  readonly facts: ChargeFacts
  readonly now: number
}

/** Moves the card and books the difference to what is booked already. @returns undefined when all agreed before */
async function writeTo(
  trx: Writer,
  { card, order, facts, now }: Subject,
): Promise<{ status: CardStatus; isLoss: boolean } | undefined> {
  const sale = saleOf(order)
  const status = statusFor(card.status, facts, sale)
  if (status !== card.status) {
    if (order.kind === 'donation')
      await trx.updateTable('cards').set({ status }).where('id', '=', card.id).execute()
    // Nothing uses a volunteering card up, so no move leads to `consumed`.
    else if (status !== 'consumed')
      await trx.updateTable('volunteering_cards').set({ status }).where('id', '=', card.id).execute()
  }
  const booked = await bookedReversals(trx, order)
  const missing = difference(reversalOf(status, facts, sale), booked.entries)
  const accounts = Object.entries(missing) as [keyof ReversalEntries, number][]
  const isBooked = accounts.every(([, amount]) => amount === 0)
  if (!isBooked) {
    await post(trx, {
      id: `${CAUSE}:${order.id}:${booked.sets}`,
      cause: CAUSE,
      cardId: order.kind === 'donation' ? card.id : null,
      orderId: order.id,
      at: now,
      entries: accounts.map(([account, amount]) => [
        accountOf(account, order),
        money(amount, order.currency),
      ]),
    })
  }
  return isBooked && status === card.status ? undefined : { status, isLoss: missing.losses < 0 }
}

function saleOf(order: Order): SaleAmounts {
  const { net, tax } = splitTax(money(order.support_amount, order.currency))
  return { ngo: order.ngo_amount, net: net.amount, tax: tax.amount }
}

/** What the books say of the order's reversals so far, and in how many sets. */
/** What is owed for a card: its credit stands on `cards`, the price of a volunteering package on `volunteering`. */
function accountOf(account: keyof ReversalEntries, { kind }: Order): keyof ReversalEntries | 'volunteering' {
  return account === 'cards' && kind === 'volunteering' ? 'volunteering' : account
}

async function bookedReversals(
  db: Reader,
  order: Order,
): Promise<{ entries: ReversalEntries; sets: number }> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['account', 'amount', 'set_id'])
    .where('order_id', '=', order.id)
    .where('cause', '=', CAUSE)
    .execute()
  const entries: Record<string, number> = { ...NO_REVERSAL }
  for (const account of Object.keys(NO_REVERSAL) as (keyof ReversalEntries)[])
    entries[account] = sum(rows.filter(row => row.account === accountOf(account, order)))
  return {
    entries: entries as unknown as ReversalEntries,
    sets: new Set(rows.map(({ set_id }) => set_id)).size,
  }
}

function sum(things: readonly { readonly amount: number }[]): number {
  return things.reduce((total, { amount }) => total + amount, 0)
}
