import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import type { Reader } from '#server/platform/db/database.ts'

const TOLD_FOR_MS = 30 * DAY_MS

/** The id of the audit log's line that says that somebody has dealt with a mail. @param mail the id of its job */
export const dealtWithId = (mail: string): string => `${DEALT_WITH}-${mail}`

const DEALT_WITH = 'dealt-with'

/**
 * A mail that was given up and waits for somebody: the same has not got through since, and no operator has dealt with it.
 * A condition on `jobs`.
 */
export const needsSomebody = sql<boolean>`jobs.done_at is not null and jobs.failed_reason is not null and not exists (
    select 1 from jobs as later where later.subject = jobs.subject and later.kind = jobs.kind
      and later.done_at >= jobs.done_at and later.failed_reason is null)
  and not exists (select 1 from audit_log where audit_log.id = ${sql.lit(`${DEALT_WITH}-`)} || jobs.id)`

/**
 * Such a mail of the last thirty days, of which somebody should hear. A condition on `jobs`.
 * @param now epoch ms UTC
 */
export function isGivenUp(now: number): RawBuilder<boolean> {
  return sql<boolean>`jobs.done_at > ${now - TOLD_FOR_MS} and ${needsSomebody}`
}

export interface UnsentMail {
  readonly id: string
  /** What it is about: the id of a card most of the time; null where it is about nothing. */
  readonly subject: string | null
  readonly kind: string
  readonly isGivenUp: boolean
  /** A code of the mail server's, or our own word. */
  readonly reason: string
  /** When it was asked for, epoch ms UTC. */
  readonly askedAt: number
}

/** The mails that did not get through, the newest first. */
export async function unsentMails(db: Reader, now: number, limit: number): Promise<readonly UnsentMail[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'subject', 'kind', 'done_at', 'failed_reason', 'created_at'])
    .where('failed_reason', 'is not', null)
    .where(eb => eb.or([eb('done_at', 'is', null), isGivenUp(now)]))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    id: row.id,
    subject: row.subject,
    kind: row.kind,
    isGivenUp: row.done_at !== null,
    reason: row.failed_reason ?? '',
    askedAt: row.created_at,
  }))
}
