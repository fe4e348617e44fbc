import { type RawBuilder, sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * The mails that nobody asks after again once they were sent: each is counted where it was asked for, not in the outbox.
 * The list is part of a released step: another list is another index.
 */
const LEAVING = ['reminder', 'auto-donated', 'newsletter-confirm', 'volunteering-answer'] as const

/** A condition on `jobs`, word for word that of its index: done, got through, and never asked after again. */
export const isLeaving = (): RawBuilder<boolean> =>
  sql<boolean>`done_at is not null and failed_reason is null and kind in (${sql.join(LEAVING.map(kind => sql.lit(kind)))})`

/** Finds what may leave among all that stays. */
export async function createLeavingJobs({ trx }: MigrationTools): Promise<void> {
  await sql`create index jobs_leaving on jobs (done_at) where ${isLeaving()}`.execute(trx)
}
