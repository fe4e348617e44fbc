import { certificateNumber } from '#domain/donor/certificate.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { gapsIn } from '#server/modules/integrity/gaps-in-numbers.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** The certificates of a year have the numbers from 1 to the last one that was drawn; each number is there once. */
export const certificateNumbersAmiss = (db: Reader): Promise<readonly Finding[]> =>
  gapsIn(db, {
    table: 'certificates',
    years: 'certificate_years',
    rule: 'certificate-gap',
    write: drawn => certificateNumber({ ...drawn, letters: '' }),
  })

/** A certificate is about a gift card that was paid, and about no more than its gift. */
export async function certificatesAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('certificates')
    .innerJoin('orders', 'orders.id', 'certificates.order_id')
    .select(['orders.id', 'orders.kind', 'orders.currency', 'orders.ngo_amount', 'certificates.amount'])
    .where(eb =>
      eb.or([
        eb('orders.kind', '<>', 'donation'),
        eb('orders.status', 'not in', orderStatesOf('sold')),
        eb('certificates.amount', '>', eb.ref('orders.ngo_amount')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(({ id, kind, currency, ngo_amount, amount }) => ({
    rule: 'certificate-differs',
    subject: id,
    expected: kind === 'donation' ? Number(ngo_amount) : 0,
    found: Number(amount),
    currency,
  }))
}
