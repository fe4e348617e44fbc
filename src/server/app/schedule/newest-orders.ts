import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import type { Paid } from '#domain/payment/failures-rising.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { lastEventAt } from '#server/modules/payments/last-event.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * The most rows that one question reads. On SQLite the site answers nobody meanwhile, and a week may hold a million
 * orders: some of the newest say as much.
 */
const MOST = { silent: 1_000, day: 1_000, ofEachDayBefore: 300 }

const count = sql<number>`count(*)`

const SOLD = orderStatesOf('sold')

/** The provider says nothing of what is paid by invoice, and most of it is paid weeks later. A condition on `orders`. */
const isNotInvoiced = sql<boolean>`not exists (select 1 from invoices where invoices.order_id = orders.id)`

/**
 * The payments of the last week of which the provider sent no event, 1,000 at most. It takes less than an hour between a
 * payment and its event.
 * @param now epoch ms UTC
 */
export async function countOfSilent(db: Reader, now: number): Promise<number> {
  const last = await lastEventAt(db)
  const { payments } = await db
    .selectFrom(
      db
        .selectFrom('orders')
        .select('orders.id')
        .where('settled_at', '>', Math.max((last ?? 0) + HOUR_MS, now - 7 * DAY_MS))
        .where('settled_at', '<', now - HOUR_MS)
        .where('status', 'in', SOLD)
        .where(isNotInvoiced)
        .limit(MOST.silent)
        .as('silent'),
    )
    .select(count.as('payments'))
    .executeTakeFirstOrThrow()
  return payments
}

/** How many of the newest orders were paid, of one day and of the seven days before it. */
export interface SharesPaid {
  /** The name of the partner whose program opened them; undefined of what visitors ordered. */
  readonly partner: string | undefined
  readonly day: Paid
  readonly week: Paid
}

/**
 * What visitors ordered, then what each partner's program opened. Of a day with more than 1,000
 * orders the newest are counted, and 300 of each day before it.
 * @param until the end of the day, epoch ms UTC
 */
export async function sharesPaid(db: Reader, until: number): Promise<readonly SharesPaid[]> {
  const partners = await db.selectFrom('partners').select(['id', 'name']).orderBy('id').execute()
  const shares: SharesPaid[] = []
  for (const partner of [undefined, ...partners]) {
    const ofDay = (days: number, most: number) =>
      paidAmong(db, partner?.id, { from: until - (days + 1) * DAY_MS, until: until - days * DAY_MS, most })
    const day = await ofDay(0, MOST.day)
    const week = { orders: 0, paid: 0 }
    for (let days = 1; day.orders > 0 && days <= 7; days++) {
      const { orders, paid } = await ofDay(days, MOST.ofEachDayBefore)
      week.orders += orders
      week.paid += paid
    }
    shares.push({ partner: partner?.name, day, week })
  }
  return shares
}

/** The newest orders of a period without its end. */
interface Newest {
  readonly from: number
  readonly until: number
  readonly most: number
}

function paidAmong(db: Reader, partnerId: string | undefined, newest: Newest): Promise<Paid> {
  const orders = partnerId === undefined ? ofVisitors(db, newest) : ofPartner(db, partnerId, newest)
  return db
    .selectFrom(orders.as('newest'))
    .select(({ fn }) => [
      count.as('orders'),
      fn.count<number>('newest.status').filterWhere('newest.status', 'in', SOLD).as('paid'),
    ])
    .executeTakeFirstOrThrow()
}

const ofVisitors = (db: Reader, { from, until, most }: Newest) =>
  db
    .selectFrom('orders')
    .select('orders.status')
    .where('orders.created_at', '>=', from)
    .where('orders.created_at', '<', until)
    .where(isNotInvoiced)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('partner_orders')
            .select('partner_orders.order_id')
            .whereRef('partner_orders.order_id', '=', 'orders.id'),
        ),
      ),
    )
    .orderBy('orders.created_at', 'desc')
    .limit(most)

const ofPartner = (db: Reader, partnerId: string, { from, until, most }: Newest) =>
  db
    .selectFrom('partner_orders')
    .innerJoin('orders', 'orders.id', 'partner_orders.order_id')
    .select('orders.status')
    .where('partner_orders.partner_id', '=', partnerId)
    .where('partner_orders.created_at', '>=', from)
    .where('partner_orders.created_at', '<', until)
    .orderBy('partner_orders.created_at', 'desc')
    .limit(most)
