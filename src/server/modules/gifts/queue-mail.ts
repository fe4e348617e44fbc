import type { MailJobs, MailKind } from '#domain/mail/mail-jobs.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { enqueueEach, type NewJob } from '#server/platform/outbox/enqueue.ts'

/** A mail for the outbox, with what its kind holds. */
export type NewMail<Kind extends MailKind = MailKind> = {
  readonly [Each in Kind]: NewJob & { readonly kind: Each; readonly payload: MailJobs[Each] }
}[Kind]

/**
 * Queues mails in the transaction that makes them necessary: both are kept, or neither.
 * @returns how many were not queued before under the same dedupe key
 */
export function queueMails(trx: Writer, mails: readonly NewMail[]): Promise<number> {
  return enqueueEach(trx, mails)
}

/** Queues one mail. @returns false if a mail with this dedupe key exists already, sent or not */
export async function queueMail(trx: Writer, mail: NewMail): Promise<boolean> {
  return (await queueMails(trx, [mail])) === 1
}
