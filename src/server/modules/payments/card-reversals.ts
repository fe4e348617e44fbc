import type { Selectable } from 'kysely'
import { partOfCard } from '#domain/card/batch.ts'
import type { Money } from '#domain/money/money.ts'
import type { ChargeFacts, SaleAmounts } from '#domain/money/reversal.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { type Sealer, sealedAnew, sealOfCardReversal } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { CardReversalsTable, OrdersTable } from '#server/platform/db/schema.ts'

type Amounts = Parameters<typeof amountsOf>[0]

/** The tax is what the order was quoted with: its share may be another one by now. */
export function saleOf(order: Amounts): SaleAmounts {
  const { price, net, tax } = amountsOf(order)
  return { ngo: price.amount, net: net.amount, tax: tax.amount }
}

/** The part of it that each card has: of an order of one, all. */
export function saleOfEach(order: Amounts & Pick<Selectable<OrdersTable>, 'card_count'>): SaleAmounts {
  const { price, net, tax } = amountsOf(order)
  const part = (amount: Money) => partOfCard(amount, order.card_count).amount
  return { ngo: part(price), net: part(net), tax: part(tax) }
}

/** What is known of the money that went back of each card of an order of many. */
export async function cardReversals(
  db: Reader,
  orderId: string,
): Promise<ReadonlyMap<string, Selectable<CardReversalsTable>>> {
  const rows = await db
    .selectFrom('card_reversals')
    .innerJoin('cards', 'cards.id', 'card_reversals.card_id')
    .selectAll('card_reversals')
    .where('cards.order_id', '=', orderId)
    .execute()
  return new Map(rows.map(row => [row.card_id, row]))
}

/** Keeps it, where it is another than was known. */
export async function keepCardReversal(
  trx: Writer,
  keys: Sealer,
  {
    cardId,
    own,
    facts,
    taken,
    now,
  }: {
    readonly cardId: string
    readonly own: Selectable<CardReversalsTable> | undefined
    readonly facts: ChargeFacts
    readonly taken: number
    readonly now: number
  },
): Promise<void> {
  const { refunded, lostToDisputes: lost } = facts
  const before = own ?? { refunded: 0, lost: 0, taken: 0 }
  if (refunded === before.refunded && lost === before.lost && taken === before.taken) return
  const row = { refunded, lost, taken, updated_at: now }
  const sealed = { card_id: cardId, ...row, seal: null }
  const seal = own ? sealedAnew(keys, sealOfCardReversal, own, sealed) : sealOfCardReversal(keys, sealed)
  await trx
    .insertInto('card_reversals')
    .values({ ...sealed, seal })
    .onConflict(conflict => conflict.column('card_id').doUpdateSet({ ...row, seal }))
    .execute()
}
