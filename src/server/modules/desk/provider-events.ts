import { dayInMadrid } from '#domain/days.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { DisputeState } from '#domain/payment/dispute-states.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { CardEvent } from './card-file.ts'
import { written } from './written.ts'

/** What moved at the payment provider for an order: payment, refunds and disputes with their fees, and the payouts. */
export async function providerEvents(db: Reader, orderId: string | null): Promise<CardEvent[]> {
  if (orderId === null) return []
  const movements = await db
    .selectFrom('provider_movements as m')
    .leftJoin('provider_payout_parts as part', 'part.movement_id', 'm.id')
    .leftJoin('provider_movements as payout', 'payout.id', 'part.payout_movement_id')
    .select([
      'm.id',
      'm.kind',
      'm.currency',
      'm.amount',
      'm.fee',
      'm.net',
      'm.charged_amount',
      'm.charged_currency',
      'm.exchange_rate',
      'm.source_id',
      'm.created_at',
      'payout.source_id as payout_id',
      'payout.created_at as paid_out_at',
    ])
    .where('m.order_id', '=', orderId)
    .orderBy('m.created_at')
    .execute()
  return [
    ...(await wentBack(db, orderId)),
    ...(await disputeEvents(db, orderId)),
    ...movements.flatMap(row => {
      const { amount, currency, charged_amount: charged } = row
      const converted =
        row.exchange_rate === null
          ? ''
          : `, converted from ${written(charged)} ${row.charged_currency} at ${row.exchange_rate}`
      const details = `fee ${written(row.fee)}, net ${written(row.net)} ${currency}${converted}`
      const ids = [row.source_id, row.id].filter(id => id !== null)
      return [
        {
          at: row.created_at,
          what: `at the provider: ${row.kind}`,
          details,
          amount: { amount, currency },
          ids,
        },
        ...(row.paid_out_at === null
          ? []
          : [
              {
                at: row.paid_out_at,
                what: 'on its way to the bank',
                details: `the ${row.kind}, in the provider’s payout ${row.payout_id ?? ''}`.trimEnd(),
                ids: row.payout_id === null ? [] : [row.payout_id],
              },
            ]),
      ]
    }),
  ]
}

const DISPUTES: Readonly<Record<DisputeState, string>> = {
  'to-answer': 'answer in the payment account',
  'with-bank': 'answered, or too late to answer: the bank decides',
  won: 'the bank decided for you',
  lost: 'the bank decided for the buyer',
  closed: 'closed without a decision',
}

/** Each dispute, with the day until which it can be answered. */
async function disputeEvents(db: Reader, orderId: string): Promise<CardEvent[]> {
  const rows = await db.selectFrom('disputes').selectAll().where('order_id', '=', orderId).execute()
  return rows.map(({ id, state, amount, currency, opened_at: at, answer_by: answerBy }) => ({
    at,
    what: 'disputed',
    details:
      state === 'to-answer' && answerBy !== null
        ? `${DISPUTES[state]} until ${dayInMadrid(answerBy)}`
        : DISPUTES[state],
    amount: { amount, currency: currency as Currency },
    ids: [id],
  }))
}

/** What the provider said last of the money that went back. */
async function wentBack(db: Reader, orderId: string): Promise<CardEvent[]> {
  const row = await db
    .selectFrom('reversals')
    .select(['refunded', 'lost', 'taken', 'updated_at'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  if (row === undefined) return []
  const { refunded, lost, taken, updated_at: at } = row
  // A dispute that is open, or that the bank decided for us; or a refund that the buyer's bank refused.
  if (refunded === 0 && lost === 0)
    return [{ at, what: 'nothing went back', details: 'as the provider said last' }]
  const said = `refunded ${written(refunded)}, lost to disputes ${written(lost)}`
  return [
    { at, what: 'went back', details: taken === 0 ? said : `${said}, taken off the card ${written(taken)}` },
  ]
}
