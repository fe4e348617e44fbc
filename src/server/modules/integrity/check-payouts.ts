import { sql } from 'kysely'
import { payoutStatesOn } from '#domain/payout/payout-states.ts'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** A payout is the sum of its allocations, all of its organisation and its currency; a cancelled one has none. */
export async function payoutsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('payouts')
    .leftJoin(
      eb =>
        eb
          .selectFrom('payout_allocations')
          .innerJoin('allocations', join =>
            join
              .onRef('allocations.card_id', '=', 'payout_allocations.card_id')
              .onRef('allocations.ngo_id', '=', 'payout_allocations.ngo_id'),
          )
          .select(['payout_id', 'allocations.ngo_id', 'allocations.currency'])
          .select(sumOf('allocations.amount').as('amount'))
          .groupBy(['payout_id', 'allocations.ngo_id', 'allocations.currency'])
          .as('taken'),
      join => join.onRef('taken.payout_id', '=', 'payouts.id'),
    )
    .select(['payouts.id', 'payouts.currency', 'taken.amount as found'])
    .select(TAKEN.as('expected'))
    .where(eb =>
      eb.or([
        eb(eb.fn.coalesce('taken.amount', sql.lit(0)), '<>', TAKEN),
        eb('taken.ngo_id', '<>', eb.ref('payouts.ngo_id')),
        eb('taken.currency', '<>', eb.ref('payouts.currency')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'payout-differs',
    subject: row.id,
    expected: row.expected,
    found: row.found ?? 0,
    currency: row.currency,
  }))
}

/** What the allocations of a payout come to. */
const TAKEN = sql<number>`case when payouts.status = 'cancelled' then 0 else payouts.amount end`

const PAID = sql.join(payoutStatesOn('payouts').map(state => sql.lit(state)))

/** The id of the payout that a set is about. Behind it may stand which time it is. */
const PAYOUT_OF_SET = sql<string>`substr(set_id, length(cause) + 2, 26)`
const BEHIND_ID = sql<string>`substr(set_id, length(cause) + 28)`

/** A set of a payout itself, or of a time that it was noted as paid, or not paid, by mistake or after one. */
const SET_OF_A_TIME = sql<boolean>`((cause <> 'payout-unpaid' and ${BEHIND_ID} = '')
  or (taken_back > 0 and cause in ('payout-paid', 'payout-unpaid') and (${BEHIND_ID} = '' or substr(${BEHIND_ID}, 1, 1) = ':')))`

/** What its sets of any time have put on the account of what is paid, and taken off it. Few payouts were ever taken back. */
const BOOKED_AT_ANY_TIME = sql<number>`coalesce((select sum(entry.amount) from ledger_entries as entry
  where entry.cause in ('payout-paid', 'payout-unpaid') and entry.account = 'payouts'
  and entry.currency = payouts.currency
  and substr(entry.set_id, length(entry.cause) + 2, 26) = payouts.id), 0)`

/** The books have every payout leave its organisation once, and arrive once it is paid, or go back once cancelled. */
export async function payoutsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  const booked = (set: string, account: string) =>
    sql<number>`coalesce((select sum(amount) from ledger_entries
      where id = ${sql.lit(`${set}:`)} || payouts.id || ${sql.lit(`/${account}`)}
      and currency = payouts.currency), 0)`
  const rows = await db
    .selectFrom('payouts')
    .select(['id', 'amount', 'currency'])
    .where(eb =>
      eb.not(
        eb.and([
          eb(booked('payout', 'payouts-open'), '=', eb.ref('amount')),
          eb(
            sql<number>`coalesce((select sum(amount) from ledger_entries
              where id = 'payout:' || payouts.id || ${sql.lit(`/${NGO_ACCOUNT}`)} || payouts.ngo_id
              and currency = payouts.currency), 0)`,
            '=',
            sql<number>`-amount`,
          ),
          eb(
            sql<number>`case when taken_back = 0 then ${booked('payout-paid', 'payouts')} else ${BOOKED_AT_ANY_TIME} end`,
            '=',
            sql<number>`case when status in (${PAID}) then amount else 0 end`,
          ),
          eb(
            booked('payout-cancelled', 'payouts-open'),
            '=',
            sql<number>`case when status = 'cancelled' then -amount else 0 end`,
          ),
          eb(
            sql<number>`coalesce((select sum(amount) from ledger_entries
              where id = 'payout-cancelled:' || payouts.id || ${sql.lit(`/${NGO_ACCOUNT}`)} || payouts.ngo_id
              and currency = payouts.currency), 0)`,
            '=',
            sql<number>`case when status = 'cancelled' then amount else 0 end`,
          ),
        ]),
      ),
    )
    .limit(MOST)
    .execute()
  const foreign = await db
    .selectFrom('ledger_entries')
    .select('set_id')
    .distinct()
    .where('cause', 'in', ['payout', 'payout-paid', 'payout-unpaid', 'payout-cancelled'])
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payouts')
            .select('payouts.id')
            .where('payouts.id', '=', PAYOUT_OF_SET)
            .where(SET_OF_A_TIME),
        ),
      ),
    )
    .limit(MOST)
    .execute()
  return [
    ...rows.map(({ id, amount, currency }) => ({
      rule: 'payout-books-differ' as const,
      subject: id,
      expected: amount,
      currency,
    })),
    ...foreign.map(row => ({ rule: 'payout-books-differ' as const, subject: row.set_id, expected: 0 })),
  ]
}
