import { sql } from 'kysely'
import { createAnalytics } from '#server/platform/db/analytics-tables.ts'
import { createAnnouncedDraws } from '#server/platform/db/announced-draws-tables.ts'
import { createBatchRows } from '#server/platform/db/batch-rows-table.ts'
import { createBatches } from '#server/platform/db/batches-tables.ts'
import { createCertificates } from '#server/platform/db/certificates-tables.ts'
import { createCheckWords } from '#server/platform/db/check-words.ts'
import { createCosignatures } from '#server/platform/db/cosignatures-table.ts'
import { createDeskIndexes } from '#server/platform/db/desk-indexes.ts'
import { createDisputes } from '#server/platform/db/disputes-table.ts'
import { createFreeClaims } from '#server/platform/db/free-claims-tables.ts'
import { createGiftAnswers } from '#server/platform/db/gift-answers-tables.ts'
import { createGiftMessages } from '#server/platform/db/gift-messages-table.ts'
import { createInTheOpen } from '#server/platform/db/in-the-open-tables.ts'
import { createIndexes } from '#server/platform/db/indexes.ts'
import { createInvoices, sealInvoiceDetails } from '#server/platform/db/invoices-tables.ts'
import { createLeavingJobs } from '#server/platform/db/leaving-jobs.ts'
import { createLedgerForks } from '#server/platform/db/ledger-forks-table.ts'
import { createLeftCards } from '#server/platform/db/left-cards.ts'
import { createLegalTexts } from '#server/platform/db/legal-tables.ts'
import { createLettersOfNumbers } from '#server/platform/db/letters-of-numbers.ts'
import { createManyPages } from '#server/platform/db/many-pages-table.ts'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'
import { createNewsletter } from '#server/platform/db/newsletter-tables.ts'
import { keepOffers } from '#server/platform/db/offers-tables.ts'
import { createOwnMoney } from '#server/platform/db/own-money-column.ts'
import { createPaces } from '#server/platform/db/paces-table.ts'
import { createPartners } from '#server/platform/db/partners-tables.ts'
import { createPayeeAccounts } from '#server/platform/db/payee-accounts-tables.ts'
import { createPayoutAdvices } from '#server/platform/db/payout-advices-tables.ts'
import { createPayoutRuns } from '#server/platform/db/payout-runs-tables.ts'
import { createPayoutsAndAudit } from '#server/platform/db/payouts-and-audit.ts'
import { createPayoutsTakenBack } from '#server/platform/db/payouts-taken-back.ts'
import { createPeople } from '#server/platform/db/people-tables.ts'
import {
  createNewestMovement,
  createProviderMovements,
} from '#server/platform/db/provider-movements-tables.ts'
import { createPublicLedger } from '#server/platform/db/public-ledger-tables.ts'
import { createPurchaseKeys } from '#server/platform/db/purchase-keys-column.ts'
import { createReceiptNumbers } from '#server/platform/db/receipt-numbers-tables.ts'
import { createReceipts } from '#server/platform/db/receipts.ts'
import { createRefundCalls } from '#server/platform/db/refund-calls-table.ts'
import { createRefundHolds } from '#server/platform/db/refund-holds.ts'
import { createReversals } from '#server/platform/db/reversals-table.ts'
import { createSandboxMark } from '#server/platform/db/sandbox-table.ts'
import { createSeals } from '#server/platform/db/seals.ts'
import { createSendings, keepMailboxes } from '#server/platform/db/sendings-tables.ts'
import { createTaxAndDonors } from '#server/platform/db/tax-and-donors.ts'
import { createTermsOfCards } from '#server/platform/db/terms-of-cards.ts'
import { createThemesAndLinks } from '#server/platform/db/theme-tables.ts'
import { createWaitingRooms } from '#server/platform/db/waiting-rooms-table.ts'
import { createWatchIndexes } from '#server/platform/db/watch-indexes.ts'
import { createWishes } from '#server/platform/db/wishes-table.ts'
import { createWithdrawalsOfCards } from '#server/platform/db/withdrawals-of-cards.ts'
import { createWithdrawals } from '#server/platform/db/withdrawals-tables.ts'

export interface MigrationStep {
  /** Begins with a four-digit number; written into the database, so never renamed. */
  readonly name: string
  readonly up: (tools: MigrationTools) => Promise<void>
}

/** Every step, oldest first. A step that has been released is never edited: add another one. */
export const MIGRATIONS: readonly MigrationStep[] = [
  { name: '0001-the-first-tables', up: createFirstTables },
  { name: '0002-ended-sessions', up: createEndedSessions },
  { name: '0003-free-claims', up: createFreeClaims },
  { name: '0004-analytics', up: createAnalytics },
  { name: '0005-the-operators-year', up: createPayoutsAndAudit },
  { name: '0006-volunteering-cards', up: createVolunteeringCards },
  { name: '0007-newsletter', up: createNewsletter },
  { name: '0008-look-ups', up: createIndexes },
  { name: '0009-secret-checks', up: createSecretChecks },
  { name: '0010-reversals', up: createReversals },
  { name: '0011-mails-given-up', up: createMailsGivenUp },
  { name: '0012-sealed-sessions', up: createSealedSessions },
  { name: '0013-receipts', up: createReceipts },
  { name: '0014-seals', up: createSeals },
  { name: '0015-gift-answers', up: createGiftAnswers },
  { name: '0016-legal-texts', up: createLegalTexts },
  { name: '0017-withdrawals', up: createWithdrawals },
  { name: '0018-offers', up: keepOffers },
  { name: '0019-themes-and-links', up: createThemesAndLinks },
  { name: '0020-terms-of-cards', up: createTermsOfCards },
  { name: '0021-provider-movements', up: createProviderMovements },
  { name: '0022-tax-and-donors', up: createTaxAndDonors },
  { name: '0023-payee-accounts', up: createPayeeAccounts },
  { name: '0024-payout-runs', up: createPayoutRuns },
  { name: '0029-public-ledger', up: createPublicLedger },
  { name: '0030-certificates', up: createCertificates },
  { name: '0031-payout-advices', up: createPayoutAdvices },
  { name: '0032-receipt-numbers', up: createReceiptNumbers },
  { name: '0033-look-ups-of-the-desk', up: createDeskIndexes },
  { name: '0034-disputes', up: createDisputes },
  { name: '0042-people', up: createPeople },
  { name: '0046-cosignatures', up: createCosignatures },
  { name: '0047-in-the-open', up: createInTheOpen },
  { name: '0056-leaving-jobs', up: createLeavingJobs },
  { name: '0057-paces', up: createPaces },
  { name: '0058-announced-draws', up: createAnnouncedDraws },
  { name: '0059-ledger-forks', up: createLedgerForks },
  { name: '0060-gift-messages', up: createGiftMessages },
  { name: '0061-check-words', up: createCheckWords },
  { name: '0070-waiting-rooms', up: createWaitingRooms },
  { name: '0071-sendings', up: createSendings },
  { name: '0072-many-pages', up: createManyPages },
  { name: '0073-partners', up: createPartners },
  { name: '0074-batches', up: createBatches },
  { name: '0075-batch-rows', up: createBatchRows },
  { name: '0078-mailboxes-kept', up: keepMailboxes },
  { name: '0079-left-cards', up: createLeftCards },
  { name: '0080-wishes', up: createWishes },
  { name: '0081-sandbox', up: createSandboxMark },
  { name: '0082-own-money', up: createOwnMoney },
  { name: '0084-withdrawals-of-cards', up: createWithdrawalsOfCards },
  { name: '0085-invoices', up: createInvoices },
  { name: '0088-invoice-details', up: sealInvoiceDetails },
  { name: '0089-newest-movement', up: createNewestMovement },
  { name: '0090-purchase-keys', up: createPurchaseKeys },
  { name: '0091-letters-of-numbers', up: createLettersOfNumbers },
  { name: '0092-refund-holds', up: createRefundHolds },
  { name: '0095-payouts-taken-back', up: createPayoutsTakenBack },
  { name: '0096-look-ups-of-the-watch', up: createWatchIndexes },
  { name: '0097-refund-calls', up: createRefundCalls },
]

async function createFirstTables({ trx, integer, table, appendOnly }: MigrationTools): Promise<void> {
  await table('orders')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('kind', 'text', c => c.notNull().check(sql`kind in ('donation', 'volunteering')`))
    .addColumn('status', 'text', c => c.notNull().check(sql`status in ('open', 'paid', 'failed', 'expired')`))
    .addColumn('package_id', 'text', c => c.notNull())
    .addColumn('theme_id', 'text', c => c.notNull())
    .addColumn('sender_name', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('ngo_amount', integer, c => c.notNull().check(sql`ngo_amount >= 0`))
    .addColumn('support_amount', integer, c => c.notNull().check(sql`support_amount >= 0`))
    .addColumn('tax_amount', integer, c => c.notNull().check(sql`tax_amount between 0 and support_amount`))
    .addColumn('total_amount', integer, c =>
      c.notNull().check(sql`total_amount = ngo_amount + support_amount`),
    )
    .addColumn('attempt_key_digest', 'text', c => c.unique())
    .addColumn('request_digest', 'text', c => c.notNull())
    .addColumn('checkout_session_id', 'text', c => c.unique())
    .addColumn('checkout_session_digest', 'text', c => c.unique())
    .addColumn('checkout_url', 'text')
    .addColumn('expires_at', integer, c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('settled_at', integer)
    // The id of a paid session gives the card's keys, and the url holds the id: neither outlives the payment.
    .addCheckConstraint(
      'orders_paid_keep_no_session',
      sql`status <> 'paid' or (checkout_session_id is null and checkout_url is null)`,
    )
    .execute()
  await trx.schema
    .createIndex('orders_open')
    .on('orders')
    .column('created_at')
    .where(sql`status`, '=', sql`'open'`)
    .execute()

  await table('cards')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('order_id', 'text', c => c.unique().references('orders.id'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('status', 'text', c =>
      c.notNull().check(sql`status in ('active', 'consumed', 'frozen', 'revoked')`),
    )
    .addColumn('theme_id', 'text', c => c.notNull())
    .addColumn('sender_name', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('credit', integer, c => c.notNull().check(sql`credit > 0`))
    .addColumn('email', 'text')
    .addColumn('key_version', integer, c => c.notNull())
    .addColumn('private_digest', 'text', c => c.notNull().unique())
    .addColumn('public_digest', 'text', c => c.notNull().unique())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('auto_donate_at', integer, c => c.notNull())
    .addCheckConstraint(
      'cards_come_from_somewhere',
      sql`(kind = 'donation' and order_id is not null) or (kind = 'free' and order_id is null)`,
    )
    .execute()
  await trx.schema
    .createIndex('cards_to_auto_donate')
    .on('cards')
    .column('auto_donate_at')
    .where(sql`status`, '=', sql`'active'`)
    .execute()

  await table('redemptions')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('cards.id'))
    .addColumn('cause', 'text', c => c.notNull().check(sql`cause in ('recipient', 'auto-donation')`))
    .addColumn('request_digest', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()

  await table('allocations')
    .addColumn('card_id', 'text', c => c.notNull().references('redemptions.card_id'))
    .addColumn('ngo_id', 'text', c => c.notNull())
    .addColumn('position', integer, c => c.notNull())
    .addColumn('points', integer, c => c.notNull().check(sql`points >= 0`))
    .addColumn('amount', integer, c => c.notNull().check(sql`amount > 0`))
    .addColumn('currency', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('allocations_pk', ['card_id', 'ngo_id'])
    .execute()

  await table('ledger_entries')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('set_id', 'text', c => c.notNull())
    .addColumn('account', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('amount', integer, c => c.notNull())
    .addColumn('card_id', 'text', c => c.references('cards.id'))
    .addColumn('order_id', 'text', c => c.references('orders.id'))
    .addColumn('cause', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await appendOnly('ledger_entries')

  await table('jobs')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('dedupe_key', 'text', c => c.notNull().unique())
    .addColumn('subject', 'text')
    .addColumn('run_at', integer, c => c.notNull())
    .addColumn('lease_until', integer)
    .addColumn('attempts', integer, c => c.notNull())
    .addColumn('done_at', integer)
    .addColumn('failed_reason', 'text')
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await trx.schema
    .createIndex('jobs_due')
    .on('jobs')
    .column('run_at')
    .where(sql`done_at`, 'is', null)
    .execute()
  await trx.schema
    .createIndex('jobs_about')
    .on('jobs')
    .columns(['subject', 'kind'])
    .where(sql`subject`, 'is not', null)
    .execute()
}

/** Orders of volunteering cards, and the cards that come of them. */
async function createVolunteeringCards({ trx, integer, table }: MigrationTools): Promise<void> {
  await trx.schema.alterTable('orders').addColumn('mission', 'text').execute()
  await table('volunteering_cards')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('order_id', 'text', c => c.notNull().unique().references('orders.id'))
    .addColumn('status', 'text', c => c.notNull().check(sql`status in ('active', 'frozen', 'revoked')`))
    .addColumn('theme_id', 'text', c => c.notNull())
    .addColumn('sender_name', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('mission', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('key_version', integer, c => c.notNull())
    .addColumn('key_digest', 'text', c => c.notNull().unique())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('answer', 'text', c => c.check(sql`answer in ('accept', 'later', 'no')`))
    .addColumn('answered_at', integer)
    .addColumn('answers', integer, c => c.notNull())
    .addColumn('told_answer', 'text')
    .addCheckConstraint('volunteering_cards_answered', sql`(answer is null) = (answered_at is null)`)
    .execute()
}

async function createEndedSessions({ integer, table }: MigrationTools): Promise<void> {
  await table('ended_sessions')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('expires_at', integer, c => c.notNull())
    .execute()
}

async function createSecretChecks({ integer, table }: MigrationTools): Promise<void> {
  await table('secret_checks')
    .addColumn('name', 'text', c => c.notNull().primaryKey())
    .addColumn('digest', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
}

/** Of all mails that were ever sent, the few that were given up: looked for every quarter of an hour. */
async function createMailsGivenUp({ trx }: MigrationTools): Promise<void> {
  await sql`create index jobs_given_up on jobs (done_at)
    where done_at is not null and failed_reason is not null`.execute(trx)
}

/** What stood in clear is closed with the secret, which no step has: see cards/protect-earlier-rows.ts. */
async function createSealedSessions({ trx }: MigrationTools): Promise<void> {
  await trx.schema
    .alterTable('orders')
    .addColumn('checkout_session_sealed', 'text', c =>
      // Nobody asks about it any more once the order is over.
      c.check(sql`checkout_session_sealed is null or status = 'open'`),
    )
    .execute()
}
