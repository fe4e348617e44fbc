import { clearOrders } from '#server/modules/gifts/cards/forget.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import { moveOrder } from '#server/modules/payments/move-orders.ts'
import { lockOrder } from '#server/modules/payments/orders.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { isOneOf } from '#server/platform/db/same-address.ts'
import { changeInvoice, INVOICE_MAIL, type Invoice } from './stored.ts'

const BATCH = 50
const NOBODY = { name: '', document: '', address: '', email: null } as const

interface Before {
  /** Those paid before it name nobody any more: the law has them kept until then. Epoch ms UTC. */
  readonly paid: number
  /** Those that came to nothing before it name nobody; of those that were paid the address goes. Epoch ms UTC. */
  readonly others: number
}

/** Takes off some invoices whom they name, and where they went, once nobody needs that. Numbers and amounts stay. @returns how many */
export function forgetInvoiced(db: Database, { paid, others }: Before): Promise<number> {
  return db.transaction(async trx => {
    const rows = await trx
      .selectFrom('invoices')
      .innerJoin('orders', 'orders.id', 'invoices.order_id')
      .select(['invoices.order_id', 'invoices.state', 'invoices.changed_at'])
      .where('invoices.changed_at', '<', others)
      // One that is still open lapses first.
      .where('orders.status', '<>', 'open')
      .where(eb =>
        eb.or([
          eb('invoices.email', 'is not', null),
          eb.and([
            eb('invoices.name', '<>', ''),
            eb.or([eb('invoices.state', '<>', 'paid'), eb('invoices.changed_at', '<', paid)]),
          ]),
        ]),
      )
      .limit(BATCH)
      .execute()
    for (const { order_id: id, state, changed_at: at } of rows) {
      const set = state === 'paid' && at >= paid ? { email: null } : NOBODY
      // One that was paid meanwhile keeps whom it names.
      await trx
        .updateTable('invoices')
        .set(set)
        .where('order_id', '=', id)
        .where('state', '=', state)
        .execute()
    }
    return rows.length
  })
}

/** Deletes some mails of invoices that were handed over before an instant: their jobs know the address again. @returns how many */
export async function forgetInvoiceMails(db: Database, before: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('jobs')
      .where('id', 'in', eb =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where('kind', '=', INVOICE_MAIL)
          .where('done_at', 'is not', null)
          .where('created_at', '<', before)
          .limit(BATCH),
      )
      .returning('id')
      .execute(),
  )
  return gone.length
}

/** The invoices that went to an address, in one of these spellings. */
export function invoicesOf(db: Reader, spellings: readonly string[]): Promise<readonly Invoice[]> {
  return db.selectFrom('invoices').selectAll().where(isOneOf('email', spellings)).execute()
}

/**
 * Forgets somebody who asks for it. An invoice that waits for their money is cancelled: nobody could be sent its cards. One
 * that was paid keeps whom it names, as the law asks, and loses the address.
 * @param now epoch ms UTC
 */
export async function forgetInvoicesOf(
  trx: Writer,
  keys: Sealer,
  spellings: readonly string[],
  now: number,
): Promise<void> {
  for (const { order_id: id } of await invoicesOf(trx, spellings)) {
    await lockOrder(trx, id)
    const [invoice] = (await invoicesOf(trx, spellings)).filter(each => each.order_id === id)
    if (!invoice) continue
    if (invoice.state === 'open') {
      await changeInvoice(trx, keys, invoice, { state: 'cancelled', paid_on: null }, now)
      await moveOrder(trx, 'expired', id)
    }
    const set = invoice.state === 'paid' ? { email: null } : NOBODY
    await trx.updateTable('invoices').set(set).where('order_id', '=', id).execute()
    if (invoice.state === 'paid') continue
    // There is no card that would lead to what they wrote, and no payment for which the law asks who they are.
    await clearOrders(trx, [id])
    await trx.deleteFrom('donor_identities').where('order_id', '=', id).execute()
  }
}
