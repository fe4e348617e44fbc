import type { Selectable } from 'kysely'
import { statusOfPurchase } from '#domain/card/batch.ts'
import {
  type CertificateHolder,
  certificateAnswer,
  certificateNumber,
  certifiedAmount,
  yearOfCertificate,
} from '#domain/donor/certificate.ts'
import type { Market } from '#domain/market.ts'
import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { isSold } from '#domain/payment/order-states.ts'
import type { Period } from '#domain/period.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { holdsOn } from '#server/modules/gifts/holds.ts'
import { cardReversals } from '#server/modules/payments/card-reversals.ts'
import { PAID_ON, paidAtOf, paidWithin } from '#server/modules/payments/invoices/paid-on.ts'
import { invoiceOf } from '#server/modules/payments/invoices/stored.ts'
import { lockOrder, type Order } from '#server/modules/payments/orders.ts'
import { endsAtOf, type Purchase, purchaseOfKey } from '#server/modules/payments/withdrawals/find.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { CertificatesTable } from '#server/platform/db/schema.ts'
import type { WithdrawalParts } from '../withdrawals/dependencies.ts'
import type { CertifiablePurchase, Certificate, Certificates } from './interface.ts'

interface Parts extends Pick<WithdrawalParts, 'keys' | 'withdrawalDays'> {
  readonly db: Database
  readonly clock: Clock
  /** Says whether the operator makes certificates in a market. */
  readonly market: (currency: Currency) => Pick<Market, 'receipts'>
}

type Row = Selectable<CertificatesTable>

/** The key is the one of withdrawals: it came to the buyer by mail. */
export function createCertificates(parts: Parts): Certificates {
  const { db } = parts
  return {
    open: (orderId, key) =>
      db.read(async reader => shown(reader, parts, await purchaseOfKey(reader, parts, orderId, key))),
    make: (orderId, key, holder) => db.transaction(trx => make(trx, parts, { orderId, key, holder })),
  }
}

async function make(
  trx: Writer,
  parts: Parts,
  {
    orderId,
    key,
    holder,
  }: { readonly orderId: string; readonly key: string; readonly holder: CertificateHolder },
): Promise<CertifiablePurchase> {
  await purchaseOfKey(trx, parts, orderId, key)
  // Two presses at once meet here: the second finds what the first has made.
  await lockOrder(trx, orderId)
  const purchase = await purchaseOfKey(trx, parts, orderId, key)
  const before = await shown(trx, parts, purchase)
  if (before.made || before.answer !== 'ready') return before
  const now = parts.clock()
  const year = yearOfCertificate(now)
  const { last: number } = await trx
    .insertInto('certificate_years')
    .values({ year, last: 1 })
    .onConflict(conflict =>
      conflict.column('year').doUpdateSet(eb => ({ last: eb('certificate_years.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('certificates')
    .values({
      order_id: orderId,
      year,
      number,
      letters: lettersOf(orderId),
      ...holder,
      amount: before.amount.amount,
      made_at: now,
    })
    .execute()
  return shown(trx, parts, purchase)
}

async function shown(
  db: Reader,
  { clock, withdrawalDays: days, market }: Parts,
  { order, cards }: Purchase,
): Promise<CertifiablePurchase> {
  const row = await db
    .selectFrom('certificates')
    .selectAll()
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  const amount = isSold(order.status) ? await amountLeft(db, order) : 0
  const endsAt = endsAtOf({ order }, days)
  const isHeld = await isAnyHeld(db, cards)
  const paidOn = (await invoiceOf(db, order.id))?.paid_on ?? null
  const answer = certificateAnswer({ card: statusOfPurchase(cards), isHeld, amount, now: clock(), endsAt })
  const { theme_id: themeId, created_at: boughtAt } = cards[0] ?? order
  return {
    orderId: order.id,
    theme: await themeOf(db, themeId, boughtAt),
    boughtAt: paidOn === null ? (order.settled_at ?? order.created_at) : Date.parse(paidOn),
    endsAt,
    amount: money(amount, order.currency),
    answer: market(order.currency).receipts === 'own' ? answer : 'off',
    ...(row && { made: certificateOf(row, order.currency, amount) }),
  }
}

/** What was given back is no part of a certificate, whatever holds it. */
async function isAnyHeld(db: Reader, cards: Purchase['cards']): Promise<boolean> {
  for (const { id, status } of cards)
    if (status !== 'revoked' && (await holdsOn(db, id)).some(reason => reason !== 'draw')) return true
  return false
}

const amountOf = (
  order: Pick<Order, 'kind' | 'ngo_amount' | 'total_amount'>,
  givenBack: number,
  cards = 1,
): number =>
  certifiedAmount({
    kind: order.kind,
    ngo: order.ngo_amount / cards,
    total: order.total_amount / cards,
    givenBack,
  })

/** What a certificate can be made out for now. Of many cards each counts for itself: what went back of one is none of another. */
async function amountLeft(
  db: Reader,
  order: Pick<Order, 'id' | 'kind' | 'ngo_amount' | 'total_amount' | 'card_count'>,
): Promise<number> {
  const { id, card_count: count } = order
  if (count === 1) return amountOf(order, await givenBackOf(db, id))
  const known = [...(await cardReversals(db, id)).values()]
  const whole = (count - known.length) * amountOf(order, 0, count)
  return known.reduce((sum, { refunded, lost }) => sum + amountOf(order, refunded + lost, count), whole)
}

async function givenBackOf(db: Reader, orderId: string): Promise<number> {
  const back = await db
    .selectFrom('reversals')
    .select(['refunded', 'lost'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return (back?.refunded ?? 0) + (back?.lost ?? 0)
}

/** @param left what it could be made out for now, minor units */
const certificateOf = (row: Row, currency: Currency, left: number): Certificate => ({
  number: certificateNumber(row),
  name: row.name,
  document: row.document,
  address: row.address,
  amount: money(row.amount, currency),
  madeAt: row.made_at,
  isVoid: left < row.amount,
})

/** A certificate as the tax office is told of it. */
export interface ListedCertificate extends Certificate {
  readonly orderId: string
  /** The day that counts: of the payment, epoch ms UTC. */
  readonly paidAt: number
}

/** The certificates of what was paid within a period, in the order of their numbers. */
export async function listCertificates(db: Reader, period: Period): Promise<readonly ListedCertificate[]> {
  const rows = await db
    .selectFrom('certificates')
    .innerJoin('orders', 'orders.id', 'certificates.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'certificates.order_id')
    .leftJoin('invoices', 'invoices.order_id', 'certificates.order_id')
    .selectAll('certificates')
    .select([
      'orders.kind',
      'orders.ngo_amount',
      'orders.total_amount',
      'orders.currency',
      'orders.settled_at',
      'orders.card_count',
      'reversals.refunded',
      'reversals.lost',
      PAID_ON.as('paid_on'),
    ])
    .where(paidWithin(period))
    .orderBy('certificates.year')
    .orderBy('certificates.number')
    .execute()
  const listed: ListedCertificate[] = []
  for (const row of rows) {
    const left =
      row.card_count === 1
        ? amountOf(row, (row.refunded ?? 0) + (row.lost ?? 0))
        : await amountLeft(db, { ...row, id: row.order_id })
    listed.push({
      ...certificateOf(row, row.currency, left),
      orderId: row.order_id,
      paidAt: paidAtOf(row),
    })
  }
  return listed
}

/** Takes the holder off some certificates whose ten years are over: numbers and amounts stay. @returns how many */
export async function forgetHolders(db: Database, before: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .updateTable('certificates')
      .set({ name: '', document: '', address: '' })
      .where('order_id', 'in', eb =>
        eb
          .selectFrom('certificates')
          .select('order_id')
          .where('made_at', '<', before)
          .where('name', '<>', '')
          .limit(BATCH),
      )
      .returning('order_id')
      .execute(),
  )
  return gone.length
}

const BATCH = 50
