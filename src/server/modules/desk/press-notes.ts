import { createHash } from 'node:crypto'
import { Problem } from '#domain/problems.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

/** The note of an act in the audit log, named after the press that asked for it. */
export interface Note {
  readonly id: string
  readonly action: string
  /** An id or a name of our own; never an address or a key. */
  readonly subject: string
}

/** The note's name. No press can be guessed, or tried again, from the log: it holds the digest alone. */
export const noteId = (attemptKey: string): string =>
  `press-${createHash('sha256').update(attemptKey).digest('hex')}`

/** Was this press carried out before? Problem act-refused where it was another act's. */
export async function isNoted(db: Database, note: Note): Promise<boolean> {
  const row = await db.read(reader =>
    reader.selectFrom('audit_log').select(['action', 'subject']).where('id', '=', note.id).executeTakeFirst(),
  )
  if (row === undefined) return false
  if (row.action === note.action && row.subject === note.subject) return true
  throw new Problem('act-refused', { fields: [{ path: 'act', rule: 'other-press' }] })
}

/** Writes the note. @returns false where the press was noted a moment ago */
export async function writeNote(trx: Writer, { id, action, subject }: Note, now: number): Promise<boolean> {
  const row = await trx
    .insertInto('audit_log')
    .values({ id, actor: 'interface', action, subject, outcome: 'done', created_at: now })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
