import type { Database } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'

export interface AuditEntry {
  /** How the operator acted: by a call of the operator's interface, or at the terminal. */
  readonly actor: 'interface' | 'terminal'
  readonly action: string
  /** An id; never an address or a key. */
  readonly subject?: string | undefined
  readonly outcome: 'done' | 'refused'
}

/** Writes down what an operator did; nobody can change or delete it afterwards. */
export async function audit(db: Database, entry: AuditEntry, now: number): Promise<void> {
  const { actor, action, subject = null, outcome } = entry
  await db.transaction(trx =>
    trx
      .insertInto('audit_log')
      .values({ id: newId(now), actor, action, subject, outcome, created_at: now, person_id: null })
      .execute(),
  )
}
