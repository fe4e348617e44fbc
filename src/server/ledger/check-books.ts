import { sql } from 'kysely'
import type { Reader } from '#server/db/database.ts'
import { ACCOUNTS, NGO_ACCOUNT } from '#server/ledger/accounts.ts'
import { type Finding, MOST, sumOf } from '#server/ledger/findings.ts'

export async function unbalancedSets(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['set_id', 'currency', sumOf('amount').as('found')])
    .groupBy(['set_id', 'currency'])
    .having(sumOf('amount'), '<>', 0)
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'set-unbalanced', subject: row.set_id, expected: 0, found: row.found }))
}

export async function unknownAccounts(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('account', 'not in', [...ACCOUNTS])
    .where(sql`substr(account, 1, ${sql.lit(NGO_ACCOUNT.length)})`, '<>', NGO_ACCOUNT)
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'account-unknown', subject: row.id }))
}

/** Each organisation's books hold, card by card, what it was given. */
export async function organisationsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  // Both sides in one list, one of them negative: what does not cancel out is wrong.
  const rows = await db
    .selectFrom(eb =>
      eb
        .selectFrom('allocations')
        .select([
          'card_id',
          'currency',
          'amount',
          sql<string>`${sql.lit(NGO_ACCOUNT)} || ngo_id`.as('account'),
        ])
        .unionAll(
          eb
            .selectFrom('ledger_entries')
            .select(ledger => [
              ledger.ref('card_id').$notNull().as('card_id'),
              'currency',
              sql<number>`-amount`.as('amount'),
              'account',
            ])
            .where(sql`substr(account, 1, ${sql.lit(NGO_ACCOUNT.length)})`, '=', NGO_ACCOUNT)
            .where('card_id', 'is not', null),
        )
        .as('both'),
    )
    .select(['card_id', 'account', sumOf('amount').as('difference')])
    .groupBy(['card_id', 'account', 'currency'])
    .having(sumOf('amount'), '<>', 0)
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'organisation-books-differ',
    subject: `${row.card_id}/${row.account}`,
    expected: 0,
    found: row.difference,
  }))
}
