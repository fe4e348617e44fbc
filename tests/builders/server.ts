import type { Insertable } from 'kysely'
import { newId } from '#server/db/ids.ts'
import type { OrdersTable } from '#server/db/schema.ts'

const CREATED_AT = Date.parse('2026-03-10T09:00:00Z')
const HALF_AN_HOUR = 30 * 60_000

/** An open order of 50 € for the organisations and 5 € of support, 1.05 € of it tax, as the gateway writes it. */
export function anOrder(changes: Partial<Insertable<OrdersTable>> = {}): Insertable<OrdersTable> {
  const id = changes.id ?? newId(CREATED_AT)
  const order = {
    kind: 'donation',
    status: 'open',
    package_id: 'their food',
    theme_id: 'palestine',
    sender_name: 'Aina',
    language: 'es',
    currency: 'EUR',
    ngo_amount: 5000,
    support_amount: 500,
    tax_amount: 105,
    attempt_key_digest: null,
    request_digest: 'request',
    checkout_session_id: null,
    checkout_session_digest: null,
    checkout_url: null,
    created_at: CREATED_AT,
    expires_at: CREATED_AT + HALF_AN_HOUR,
    settled_at: null,
    ...changes,
  } as const
  return { id, total_amount: order.ngo_amount + order.support_amount, ...order }
}
