import { sql } from 'kysely'
import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { ACCOUNTS } from '#server/modules/ledger/accounts.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** Sets of entries that do not sum to 0 in a currency. */
export async function unbalancedSets(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['set_id', 'currency', sumOf('amount').as('found')])
    .groupBy(['set_id', 'currency'])
    .having(sumOf('amount'), '<>', 0)
    .limit(MOST)
    .execute()
  return rows.map(({ set_id: subject, found, currency }) => ({
    rule: 'set-unbalanced',
    subject,
    expected: 0,
    found,
    currency,
  }))
}

/** Entries of accounts that the books do not have. */
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
    .select(['card_id', 'account', 'currency', sumOf('amount').as('difference')])
    .groupBy(['card_id', 'account', 'currency'])
    .having(sumOf('amount'), '<>', 0)
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'organisation-books-differ',
    subject: `${row.card_id}/${row.account}`,
    expected: 0,
    found: row.difference,
    currency: row.currency,
  }))
}

const prefixed = (prefix: string) =>
  sql<boolean>`substr(set_id, 1, ${sql.lit(prefix.length)}) = ${sql.lit(prefix)}`
const isOrganisation = sql<boolean>`substr(account, 1, ${sql.lit(NGO_ACCOUNT.length)}) = ${sql.lit(NGO_ACCOUNT)}`

/**
 * Every line of the books is of something that the product books, in its own words: a sale, a claim, a redemption, a
 * reversal, a payout, a movement at the provider. Other rules check what each of them says. This rule alone finds a
 * line that belongs to none of them.
 */
export async function entriesUnknown(db: Reader): Promise<readonly Finding[]> {
  const isKnown = sql<boolean>`coalesce(id = set_id || '/' || account and (
    (cause = 'sale' and (set_id = 'sale:' || order_id
        or (substr(set_id, 1, length(order_id) + 6) = 'sale:' || order_id || ':' and card_id is not null))
      and account in ('payments', 'cards', 'volunteering', 'support', 'tax'))
    or (cause = 'free-claim' and set_id = 'claim:' || card_id and order_id is null
      and account in ('campaign', 'cards'))
    or (cause in ('recipient', 'auto-donation') and set_id = 'redemption:' || card_id and order_id is null
      and (account = 'cards' or ${isOrganisation}))
    or (cause = 'reversal' and substr(set_id, 1, length(order_id) + 10) = 'reversal:' || order_id || ':'
      and account in ('refunds', 'cards', 'volunteering', 'support', 'tax', 'losses'))
    or (cause = 'invoice' and (set_id = 'invoice:' || order_id or ${prefixed('invoice-refund:')})
      and card_id is null and order_id is not null and account in ('payments', 'bank'))
    or (cause = 'payout' and ${prefixed('payout:')} and card_id is null and order_id is null
      and (account = 'payouts-open' or ${isOrganisation}))
    or (cause = 'payout-paid' and ${prefixed('payout-paid:')} and card_id is null and order_id is null
      and account in ('payouts-open', 'payouts'))
    or (cause = 'payout-unpaid' and ${prefixed('payout-unpaid:')} and card_id is null and order_id is null
      and account in ('payouts-open', 'payouts'))
    or (cause = 'payout-cancelled' and ${prefixed('payout-cancelled:')} and card_id is null and order_id is null
      and (account = 'payouts-open' or ${isOrganisation}))
    or (cause = 'movement' and ${prefixed('movement:')} and card_id is null
      and account in ('payments', 'fees', 'bank', 'operator', 'exchange'))
  ), false)`
  const rows = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where(sql<boolean>`not ${isKnown}`)
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'entry-unknown', subject: row.id }))
}
