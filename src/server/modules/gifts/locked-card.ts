import type { Selectable } from 'kysely'
import type { Writer } from '#server/platform/db/database.ts'
import type { CardsTable, VolunteeringCard } from '#server/platform/db/schema.ts'

export type Card = Selectable<CardsTable>

/**
 * Reads a card and keeps every other transaction away from it until this one ends. An update that changes
 * nothing, since that locks the row on both engines.
 */
export function lockVolunteeringCard(
  trx: Writer,
  column: 'id' | 'order_id',
  value: string,
): Promise<VolunteeringCard | undefined> {
  return trx
    .updateTable('volunteering_cards')
    .set(eb => ({ status: eb.ref('status') }))
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst()
}

/** The same for a card with a credit. */
export function lockCard(trx: Writer, column: 'id' | 'order_id', value: string): Promise<Card | undefined> {
  return trx
    .updateTable('cards')
    .set(eb => ({ status: eb.ref('status') }))
    .where(column, '=', value)
    .returningAll()
    .executeTakeFirst()
}
