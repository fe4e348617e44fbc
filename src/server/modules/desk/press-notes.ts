import { createHash } from 'node:crypto'
import { Problem } from '#domain/problems.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

/** One press of a button, however often it was sent. */
export interface Press {
  /** The idempotency key that the browser made for it. */
  readonly key: string
  /** Whose passkey opened the session; null where the token did, or where this machine is enough. */
  readonly person: string | null
}

/** The note of an act in the audit log, named after the press that asked for it. */
export interface Note {
  readonly id: string
  readonly action: string
  /** An id or a name of our own; never an address or a key. */
  readonly subject: string
  readonly person: string | null
  /** How the operator acted. */
  readonly actor: 'interface' | 'terminal'
}

/** The note of a press. No press can be guessed, or tried again, from the log: it holds the key's digest alone. */
export const noteOf = (press: Press, action: string, subject: string): Note => ({
  id: `press-${createHash('sha256').update(press.key).digest('hex')}`,
  action,
  subject,
  person: press.person,
  actor: 'interface',
})

/** Was this press carried out before? Problem act-refused where it was another act's. */
export async function isNoted(db: Database, note: Note): Promise<boolean> {
  const row = await db.read(reader =>
    reader.selectFrom('audit_log').select(['action', 'subject']).where('id', '=', note.id).executeTakeFirst(),
  )
  if (row === undefined) return false
  if (row.action === note.action && row.subject === note.subject) return true
  throw new Problem('act-refused', { fields: [{ path: 'act', rule: 'other-press' }] })
}

/** Writes the note. @returns false where it was written before */
export async function writeNote(
  trx: Writer,
  { id, actor, action, subject, person }: Note,
  now: number,
): Promise<boolean> {
  const row = await trx
    .insertInto('audit_log')
    .values({ id, actor, action, subject, outcome: 'done', created_at: now, person_id: person })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
