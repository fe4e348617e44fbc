import type { Selectable } from 'kysely'
import { money } from '#domain/money/money.ts'
import { entriesOfMovement } from '#domain/treasury/movement.ts'
import type { EntrySet } from '#server/modules/ledger/post.ts'
import type { ProviderMovementsTable } from '#server/platform/db/schema.ts'

export const MOVEMENT_CAUSE = 'movement'

/** The columns of a movement that decide its entries. */
export type BookedMovement = Pick<
  Selectable<ProviderMovementsTable>,
  | 'id'
  | 'kind'
  | 'order_id'
  | 'currency'
  | 'amount'
  | 'fee'
  | 'charged_currency'
  | 'charged_amount'
  | 'borne'
  | 'created_at'
>

/** The sets of entries that book a movement, one for each currency that it touches: its row alone decides them. */
export function setsOfMovement(row: BookedMovement): readonly EntrySet[] {
  const entries = entriesOfMovement({
    kind: row.kind,
    isOfOrder: row.order_id !== null,
    currency: row.currency,
    amount: row.amount,
    fee: row.fee,
    charged: money(row.charged_amount, row.charged_currency),
    borne: row.borne,
  })
  return [...Map.groupBy(entries, ([, { currency }]) => currency)].map(([currency, some]) => ({
    id: `${MOVEMENT_CAUSE}:${row.id}:${currency}`,
    cause: MOVEMENT_CAUSE,
    cardId: null,
    orderId: row.order_id,
    at: row.created_at,
    entries: some,
  }))
}
