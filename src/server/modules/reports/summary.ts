import { sql } from 'kysely'
import type { CardStatus } from '#domain/card/states.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Currency } from '#domain/money/currency.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { isOfCard } from '#server/modules/gifts/stored-cards.ts'
import { INVOICE_CAUSE } from '#server/modules/ledger/invoices.ts'
import { MOVEMENT_CAUSE } from '#server/modules/ledger/movements.ts'
import { type Owed, owed } from '#server/modules/payouts/owed.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'
import { type JobRecord, jobRecords } from '#server/platform/job-runner/lease.ts'
import { isGivenUp } from '#server/platform/outbox/unsent.ts'

/** The figures of the whole business, amounts in minor units (.env.example). */
export interface Summary {
  /** Epoch ms UTC. */
  readonly at: number
  readonly money: readonly MoneyOf[]
  readonly cards: Readonly<Record<CardStatus, number>>
  /** Active cards whose year ends within thirty days. */
  readonly expiringSoon: number
  /** Gifts that were bought by somebody who had been given one. */
  readonly chain: number
  /** Cards of either kind with an open dispute; one that nobody has used is frozen by it. */
  readonly disputed: number
  /** Their ids, those disputed first, some at most. */
  readonly disputedCards: readonly string[]
  readonly owed: readonly Owed[]
  /** `givenUp`: of the last thirty days, and not sent or dealt with since. */
  readonly mails: { readonly waiting: number; readonly failing: number; readonly givenUp: number }
  /** Those that were given up, the newest first, some at most. */
  readonly givenUp: readonly GivenUpMail[]
  readonly jobs: readonly JobRecord[]
}

export interface GivenUpMail {
  readonly id: string
  /** The card that it is about; null where it is about something else. */
  readonly card: string | null
  readonly kind: string
  /** A code of the mail server's, or our own word. */
  readonly reason: string
}

/** Everything that moved in one currency, by the books. */
export interface MoneyOf {
  readonly currency: Currency
  /** Orders that were paid. */
  readonly orders: number
  readonly paid: number
  readonly campaign: number
  readonly support: number
  readonly tax: number
  /** The prices of volunteering packages, which are nobody's gift. */
  readonly volunteering: number
  /** On cards that nobody has used. */
  readonly outstanding: number
  readonly allocated: number
  /** Of what was allocated: in payouts that the bank has not paid. */
  readonly beingPaidOut: number
  readonly paidOut: number
  readonly refunded: number
  readonly losses: number
}

/** Reads them, on one state of the data when `db` is a snapshot. */
export async function readSummary(db: Reader, now: number): Promise<Summary> {
  return {
    at: now,
    money: await moneyByCurrency(db),
    ...(await readCounts(db, now)),
    expiringSoon: await countExpiring(db, now),
    chain: await countChain(db),
    disputed: await countDisputed(db),
    disputedCards: await disputedCards(db),
    owed: await owed(db),
    givenUp: await givenUpMails(db, now),
    jobs: await jobRecords(db, now),
  }
}

/** What became of cards and mails, for whoever watches the site from outside. */
export type Counts = Pick<Summary, 'cards' | 'mails'>

/** @param now epoch ms UTC */
export async function readCounts(db: Reader, now: number): Promise<Counts> {
  return { cards: await cardsByStatus(db), mails: await mailsByState(db, now) }
}

const count = sql<number>`count(*)`

async function moneyByCurrency(db: Reader): Promise<readonly MoneyOf[]> {
  const account = sql<string>`case when substr(account, 1, 4) = 'ngo:' then 'ngo:' else account end`
  const books = await db
    .selectFrom('ledger_entries')
    .select(['currency', account.as('account'), sumOf('amount').as('sum')])
    // Where the money is, and what the provider keeps of it, does not change what buyers paid.
    .where('cause', 'not in', [MOVEMENT_CAUSE, INVOICE_CAUSE])
    .groupBy(['currency', account])
    .execute()
  const orders = await db
    .selectFrom('orders')
    .select(['currency', count.as('orders')])
    .where('status', 'in', orderStatesOf('sold'))
    .groupBy('currency')
    .execute()
  const currencies = [...new Set([...books, ...orders].map(({ currency }) => currency))].sort()
  return currencies.map(currency => {
    const of = (name: string) =>
      books.find(entry => entry.currency === currency && entry.account === name)?.sum ?? 0
    return {
      currency: currency as Currency,
      orders: orders.find(each => each.currency === currency)?.orders ?? 0,
      paid: 0 - of('payments'),
      campaign: 0 - of('campaign'),
      support: of('support'),
      tax: of('tax'),
      volunteering: of('volunteering'),
      outstanding: of('cards'),
      allocated: of('ngo:') + of('payouts-open') + of('payouts'),
      beingPaidOut: of('payouts-open'),
      paidOut: of('payouts'),
      refunded: of('refunds'),
      losses: 0 - of('losses'),
    }
  })
}

async function cardsByStatus(db: Reader): Promise<Summary['cards']> {
  const rows = await db
    .selectFrom('cards')
    .select(['status', count.as('cards')])
    .groupBy('status')
    .execute()
  const of = (status: CardStatus) => rows.find(row => row.status === status)?.cards ?? 0
  return {
    active: of('active'),
    left: of('left'),
    consumed: of('consumed'),
    frozen: of('frozen'),
    cancelling: of('cancelling'),
    revoked: of('revoked'),
  }
}

async function countExpiring(db: Reader, now: number): Promise<number> {
  const row = await db
    .selectFrom('cards')
    .select(count.as('cards'))
    .where('status', '=', 'active')
    .where('auto_donate_at', '<=', now + 30 * DAY_MS)
    .executeTakeFirstOrThrow()
  return row.cards
}

async function countChain(db: Reader): Promise<number> {
  const { cards } = await db
    .selectFrom('chain_days')
    .select(sql<number>`coalesce(sum(cards), 0)`.as('cards'))
    .executeTakeFirstOrThrow()
  return Number(cards)
}

/** Cards of either kind whose payment is disputed, whatever has become of the card: each has to be answered in time. */
export async function countDisputed(db: Reader): Promise<number> {
  const { cards } = await db
    .selectFrom('card_holds')
    .select(count.as('cards'))
    .where('reason', '=', 'dispute')
    .executeTakeFirstOrThrow()
  return cards
}

/** As many as somebody reads at once. */
const NAMED = 20

async function givenUpMails(db: Reader, now: number): Promise<readonly GivenUpMail[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'subject', 'kind', 'failed_reason'])
    .select(isOfCard.as('is_of_card'))
    .where(isGivenUp(now))
    .orderBy('done_at', 'desc')
    .orderBy('id')
    .limit(NAMED)
    .execute()
  return rows.map(({ id, subject, kind, failed_reason: reason, is_of_card: isOfCard }) => ({
    id,
    card: isOfCard ? subject : null,
    kind,
    reason: reason ?? '',
  }))
}

async function disputedCards(db: Reader): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('card_holds')
    .select('card_id')
    .where('reason', '=', 'dispute')
    .orderBy('created_at')
    .orderBy('card_id')
    .limit(NAMED)
    .execute()
  return rows.map(({ card_id: card }) => card)
}

async function mailsByState(db: Reader, now: number): Promise<Summary['mails']> {
  const state = sql<string>`case when done_at is not null then 'given up'
    when failed_reason is not null then 'failing' else 'waiting' end`
  const rows = await db
    .selectFrom('jobs')
    .select([state.as('state'), count.as('jobs')])
    .where(eb =>
      eb.or([
        // A letter whose day has not come is not late.
        eb.and([
          eb('done_at', 'is', null),
          eb.or([eb('run_at', '<=', now), eb('failed_reason', 'is not', null)]),
        ]),
        isGivenUp(now),
      ]),
    )
    .groupBy(state)
    .execute()
  const of = (name: string) => rows.find(row => row.state === name)?.jobs ?? 0
  return { waiting: of('waiting'), failing: of('failing'), givenUp: of('given up') }
}
