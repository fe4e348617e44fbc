import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import type { Reader } from '#server/platform/db/database.ts'

const TOLD_FOR_MS = 30 * DAY_MS

/**
 * A mail that was given up, and that somebody should know of: in the last thirty days, and unless the same has got
 * through since. A condition on `jobs`.
 * @param now epoch ms UTC
 */
export function isGivenUp(now: number): RawBuilder<boolean> {
  return sql<boolean>`jobs.done_at > ${now - TOLD_FOR_MS} and jobs.done_at is not null and jobs.failed_reason is not null and not exists (
    select 1 from jobs as later where later.subject = jobs.subject and later.kind = jobs.kind
      and later.done_at >= jobs.done_at and later.failed_reason is null)`
}

export interface UnsentMail {
  /** The card that it is about; null where it is about none. */
  readonly cardId: string | null
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
    .select(['subject', 'kind', 'done_at', 'failed_reason', 'created_at'])
    .where('failed_reason', 'is not', null)
    .where(eb => eb.or([eb('done_at', 'is', null), isGivenUp(now)]))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    cardId: row.subject,
    kind: row.kind,
    isGivenUp: row.done_at !== null,
    reason: row.failed_reason ?? '',
    askedAt: row.created_at,
  }))
}
