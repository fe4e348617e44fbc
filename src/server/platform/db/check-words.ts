import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * What the database holds of the check word that is printed with a gift: its keyed digest. Null in cards from before
 * there were words. Not unique: that two cards had one word would be a one in thousands chance in a million cards, and
 * is no reason to refuse a payment.
 */
export async function createCheckWords({ trx }: MigrationTools): Promise<void> {
  for (const table of ['cards', 'volunteering_cards']) {
    await trx.schema.alterTable(table).addColumn('check_digest', 'text').execute()
    await trx.schema.createIndex(`${table}_check_words`).on(table).column('check_digest').execute()
  }
}
