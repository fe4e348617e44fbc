import type { Selectable } from 'kysely'
import { borneBySupport } from '#domain/treasury/bearing.ts'
import { setsOfMovement } from '#server/modules/ledger/movements.ts'
import { post } from '#server/modules/ledger/post.ts'
import { type Sealer, sealOfMovement } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ProviderMovementsTable } from '#server/platform/db/schema.ts'

/** A movement as the provider tells of it. */
export type ToldMovement = Omit<Selectable<ProviderMovementsTable>, 'borne' | 'read_at' | 'seal'>

/**
 * Books a movement, in one transaction with its row. The same one again changes nothing.
 * @param now epoch ms UTC
 * @returns false when it was booked before
 */
export async function bookMovement(
  trx: Writer,
  keys: Sealer,
  told: ToldMovement,
  now: number,
): Promise<boolean> {
  const borne = told.order_id === null ? 0 : await borneMore(trx, told.order_id, told)
  const row = { ...told, borne, read_at: now }
  const isNew = await trx
    .insertInto('provider_movements')
    .values({ ...row, seal: sealOfMovement(keys, row) })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!isNew) return false
  await post(trx, ...setsOfMovement(row))
  return true
}

/** What the order's support bears with this movement more than without it; less than 0 where it bears less. */
async function borneMore(db: Reader, orderId: string, told: ToldMovement): Promise<number> {
  const order = await db
    .selectFrom('orders')
    .select(['support_amount', 'tax_amount'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const before = await db
    .selectFrom('provider_movements')
    .select(['kind', 'currency', 'amount', 'fee', 'borne', 'charged_amount as charged'])
    .where('order_id', '=', orderId)
    .execute()
  const all = [...before, { ...told, charged: told.charged_amount }]
  const already = before.reduce((sum, { borne }) => sum + borne, 0)
  return borneBySupport(all, order.support_amount - order.tax_amount) - already
}
