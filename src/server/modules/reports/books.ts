import { sql } from 'kysely'
import type { Currency } from '#domain/money/currency.ts'
import type { Period } from '#domain/period.ts'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import { ACCOUNTS, type Account } from '#server/modules/ledger/accounts.ts'
import { MOVEMENT_CAUSE } from '#server/modules/ledger/movements.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * What an account held before a period, what was booked in it, and what it held afterwards. Minor units, signed as in the
 * books: what the operator has or spent is negative, what it owes or earned is positive.
 */
export interface AccountBalance {
  readonly currency: Currency
  readonly account: Account
  readonly opening: number
  /** What was booked in the period, by its cause; no cause with nothing. */
  readonly booked: Readonly<Record<string, number>>
  readonly closing: number
}

/** The balance of every account that a period began, changed or ended with, by currency. Each currency sums to zero. */
export async function readBalances(db: Reader, { from, to }: Period): Promise<readonly AccountBalance[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['currency', 'account', 'cause'])
    .select(
      sql<number>`cast(sum(case when created_at < ${from} then amount else 0 end) as bigint)`.as('before'),
    )
    .select(
      sql<number>`cast(sum(case when created_at < ${from} then 0 else amount end) as bigint)`.as('within'),
    )
    .where('created_at', '<', to)
    .groupBy(['currency', 'account', 'cause'])
    .execute()
  return [...Map.groupBy(rows, ({ currency, account }) => `${currency} ${account}`).values()]
    .map(causes => {
      const opening = causes.reduce((sum, { before }) => sum + before, 0)
      const booked = causes.filter(({ within }) => within !== 0)
      return {
        currency: causes[0]!.currency,
        account: causes[0]!.account as Account,
        opening,
        booked: Object.fromEntries(booked.map(({ cause, within }) => [cause, within])),
        closing: booked.reduce((sum, { within }) => sum + within, opening),
      }
    })
    .filter(({ opening, booked }) => opening !== 0 || Object.keys(booked).length > 0)
    .sort((a, b) => a.currency.localeCompare(b.currency) || byAccount(a.account, b.account))
}

/** In the order of the table of accounts; organisations follow by their ids. */
function byAccount(a: Account, b: Account): number {
  const place = (account: string) => {
    const at = (ACCOUNTS as readonly string[]).indexOf(account)
    return at === -1 ? ACCOUNTS.length : at
  }
  return place(a) - place(b) || a.localeCompare(b)
}

/** One entry of the books with what it can be found by elsewhere. */
export interface BookEntry {
  /** Epoch ms UTC. */
  readonly at: number
  /** Entries of one set sum to zero. */
  readonly set: string
  readonly cause: string
  readonly account: Account
  readonly currency: Currency
  /** Minor units, signed as in the books. */
  readonly amount: number
  readonly order: string | null
  readonly card: string | null
  /** The provider's ids: of the charge that paid the order, of the movement that was booked, of its payout. */
  readonly charge: string | null
  readonly movement: string | null
  readonly providerPayout: string | null
  /** Our payout to an organisation. */
  readonly payout: string | null
}

/** The causes of sets that book a payout to an organisation; its id follows the cause in the name of the set. */
const PAYOUT_SET = /^payout[a-z-]*:(.+)$/

/** Every entry of a period, in the order of the books. */
export async function readEntries(db: Reader, { from, to }: Period): Promise<readonly BookEntry[]> {
  const rows = await db
    .selectFrom('ledger_entries as e')
    .leftJoin('charges', 'charges.order_id', 'e.order_id')
    // A set of a movement has its id between the cause and the currency; a sale has the movement of its charge.
    .leftJoin('provider_movements as own', join =>
      join.on(({ and, eb, ref }) =>
        and([
          eb('e.cause', '=', MOVEMENT_CAUSE),
          eb(
            ref('own.id'),
            '=',
            sql<string>`substr(e.set_id, ${MOVEMENT_CAUSE.length + 2},
            length(e.set_id) - ${MOVEMENT_CAUSE.length + 2} - length(e.currency))`,
          ),
        ]),
      ),
    )
    .leftJoin('provider_movements as paying', join =>
      join
        .onRef('paying.charge_id', '=', 'charges.charge_id')
        .on('paying.kind', '=', 'charge')
        .on('e.cause', '=', 'sale'),
    )
    .leftJoin('provider_payout_parts as parts', join =>
      join.on(({ eb, ref }) => eb(ref('parts.movement_id'), '=', sql<string>`coalesce(own.id, paying.id)`)),
    )
    .leftJoin('provider_movements as p', 'p.id', 'parts.payout_movement_id')
    .select(['e.created_at', 'e.set_id', 'e.cause', 'e.account', 'e.currency', 'e.amount'])
    .select(['e.order_id', 'e.card_id', 'charges.charge_id', 'p.source_id as payout'])
    .select(sql<string | null>`coalesce(own.id, paying.id)`.as('movement'))
    .where('e.created_at', '>=', from)
    .where('e.created_at', '<', to)
    .orderBy('e.created_at')
    .orderBy('e.set_id')
    .orderBy('e.account')
    .execute()
  return rows.map(row => ({
    at: row.created_at,
    set: row.set_id,
    cause: row.cause,
    account: row.account as Account,
    currency: row.currency,
    amount: row.amount,
    order: row.order_id,
    card: row.card_id,
    charge: row.charge_id,
    movement: row.movement,
    providerPayout: row.payout,
    payout: PAYOUT_SET.exec(row.set_id)?.[1] ?? null,
  }))
}

/** What one day booked to an account for one cause. Minor units; what the operator has or spent is a debit. */
export interface JournalLine {
  /** In Madrid: `2026-11-21`. */
  readonly day: string
  /** Lines of one document sum to the same debit and credit: the day, the cause and the currency. */
  readonly document: string
  readonly cause: string
  readonly account: string
  readonly currency: Currency
  readonly debit: number
  readonly credit: number
}

/**
 * The entries as an accountant's journal: one document a day for each cause and currency.
 * @param dayOf the day of an instant, as `2026-11-21`
 */
export function journalOf(
  entries: readonly BookEntry[],
  dayOf: (at: number) => string,
): readonly JournalLine[] {
  const lines = Map.groupBy(
    entries.map(entry => ({ ...entry, day: dayOf(entry.at) })),
    ({ day, cause, currency, account }) => [day, cause, currency, account].join(' '),
  )
  return [...lines.values()]
    .map(same => {
      const { day, cause, currency, account } = same[0]!
      const sum = same.reduce((total, { amount }) => total + amount, 0)
      return {
        day,
        document: `${day} ${cause} ${currency}`,
        cause,
        account: nameOf(account),
        currency,
        debit: Math.max(0, 0 - sum),
        credit: Math.max(0, sum),
      }
    })
    .filter(({ debit, credit }) => debit !== 0 || credit !== 0)
    .sort((a, b) => a.document.localeCompare(b.document) || a.account.localeCompare(b.account))
}

/** An organisation's account is called by its id alone in tables for others. */
export const nameOf = (account: Account): string =>
  account.startsWith(NGO_ACCOUNT) ? `organisation ${account.slice(NGO_ACCOUNT.length)}` : account
