import { Problem } from '#domain/problems.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { dealtWithId, needsSomebody } from '#server/platform/outbox/unsent.ts'
import { type Note, writeNote } from './press-notes.ts'

/** Who says so, and from where. */
export type DealtWithBy = Pick<Note, 'actor' | 'person'>

/**
 * Notes that somebody has dealt with a mail that was given up: nothing asks for it any more. The note is a line of the
 * audit log that is named after the mail, so that there is one, whoever says it and however often.
 * @param mail the id of its job
 * @param now epoch ms UTC
 * @returns false where it was noted before
 * Problem act-refused where no such mail waits for somebody: one that is still tried, or got through since, does not.
 */
export async function dealWithMail(
  trx: Writer,
  mail: string,
  by: DealtWithBy,
  now: number,
): Promise<boolean> {
  if (isIdShaped(mail)) {
    const id = dealtWithId(mail)
    if ((await mailsThatWait(trx, 'id', [mail])).length > 0)
      return writeNote(trx, { id, action: 'dealt-with', subject: mail, ...by }, now)
    const noted = await trx.selectFrom('audit_log').select('id').where('id', '=', id).executeTakeFirst()
    if (noted !== undefined) return false
  }
  throw new Problem('act-refused', { fields: [{ path: 'mail', rule: 'not-given-up' }] })
}

/** The ids of the mails that were given up and wait for somebody: those of these ids, or all about these subjects. */
export async function mailsThatWait(
  db: Reader,
  by: 'id' | 'subject',
  words: readonly string[],
): Promise<readonly string[]> {
  if (words.length === 0) return []
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where(by, 'in', words)
    .where(needsSomebody)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
