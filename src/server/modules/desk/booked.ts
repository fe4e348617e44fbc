import { ACCOUNTS, ngoAccount } from '#server/modules/ledger/accounts.ts'
import { setOfBankRefund, setOfInvoice } from '#server/modules/ledger/invoices.ts'
import { MOVEMENT_CAUSE, setsOfMovement } from '#server/modules/ledger/movements.ts'
import { saleOfCard } from '#server/modules/ledger/record.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { CardEvent } from './card-file.ts'
import { written } from './written.ts'

/**
 * What was booked for a card. The books have no index by card or order, which would make every sale dearer: their
 * entries are named after what they book, so that they are asked for by their names.
 */
export async function bookedEvents(db: Reader, card: BookedCard): Promise<CardEvent[]> {
  const entries = [
    ...(await entriesNamed(db, await namesOf(db, card))),
    ...(card.order_id === null ? [] : await entriesOfOrder(db, card.id, card.order_id)),
  ].toSorted(
    (a, b) => a.created_at - b.created_at || compare(a.set_id, b.set_id) || compare(a.account, b.account),
  )
  return [...Map.groupBy(entries, ({ set_id }) => set_id).values()].map(set => ({
    at: set[0]!.created_at,
    what: `booked: ${set[0]!.cause}`,
    details: set.map(entry => `${entry.account} ${written(entry.amount)}`).join(', '),
  }))
}

interface BookedCard {
  readonly id: string
  readonly order_id: string | null
  /** An invitation is the only one of its order. */
  readonly position?: number
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const COLUMNS = ['set_id', 'cause', 'account', 'amount', 'created_at'] as const

/** The names of the entries of its sale and its invoice, or of the campaign that gave it, and of its use. */
async function namesOf(
  db: Reader,
  { id, order_id: orderId, position = 0 }: BookedCard,
): Promise<readonly string[]> {
  const given = await db.selectFrom('allocations').select('ngo_id').where('card_id', '=', id).execute()
  const named = (set: string, accounts: readonly string[]) => accounts.map(account => `${set}/${account}`)
  const back =
    orderId === null
      ? []
      : await db.selectFrom('bank_refunds').select('id').where('order_id', '=', orderId).execute()
  const byInvoice =
    orderId === null ? [] : [setOfInvoice(orderId), ...back.map(({ id: refund }) => setOfBankRefund(refund))]
  return [
    ...byInvoice.flatMap(set => named(set, ['payments', 'bank'])),
    ...named(orderId === null ? `claim:${id}` : saleOfCard(orderId, position), ACCOUNTS),
    ...named(`redemption:${id}`, ['cards', ...given.map(({ ngo_id }) => ngoAccount(ngo_id))]),
  ]
}

function entriesNamed(db: Reader, names: readonly string[]) {
  return db.selectFrom('ledger_entries').select(COLUMNS).where('id', 'in', names).execute()
}

/** What went back of its payment, and what moved at the payment provider. */
async function entriesOfOrder(db: Reader, cardId: string, orderId: string) {
  const reversals = await db
    .selectFrom('ledger_entries')
    .select(COLUMNS)
    .where('order_id', '=', orderId)
    .where('cause', '=', 'reversal')
    // Of many cards each has its own; those of an invitation name none.
    .where(eb => eb.or([eb('card_id', 'is', null), eb('card_id', '=', cardId)]))
    .execute()
  const movements = await db
    .selectFrom('provider_movements')
    .selectAll()
    .where('order_id', '=', orderId)
    .execute()
  const sets = movements.flatMap(setsOfMovement).map(({ id }) => id)
  if (sets.length === 0) return reversals
  const moved = await db
    .selectFrom('ledger_entries')
    .select(COLUMNS)
    .where('set_id', 'in', sets)
    .where('cause', '=', MOVEMENT_CAUSE)
    .execute()
  return [...reversals, ...moved]
}
