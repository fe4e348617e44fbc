import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The people at the desk with their passkeys, and who did what of the audit log. */
export async function createPeople({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('people')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('role', 'text', c => c.notNull().check(sql`role in ('editor', 'treasurer')`))
    .addColumn('email', 'text')
    // Whoever makes the first passkey needs the token alone: one row can be the first.
    .addColumn('is_first', integer, c => c.unique().check(sql`is_first = 1`))
    .addColumn('invitation_seal', 'text', c => c.unique())
    .addColumn('invitation_from', integer)
    .addColumn('invitation_until', integer)
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('ended_at', integer)
    .addCheckConstraint(
      'people_invitation_has_its_time',
      sql`(invitation_seal is null) = (invitation_from is null)
        and (invitation_seal is null) = (invitation_until is null)`,
    )
    .execute()
  await table('passkeys')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('person_id', 'text', c => c.notNull().references('people.id'))
    .addColumn('public_key', 'text', c => c.notNull())
    .addColumn('counter', integer, c => c.notNull().check(sql`counter >= 0`))
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('used_at', integer)
    .addColumn('seal', 'text', c => c.notNull())
    .execute()
  await sql`create index passkeys_of_person on passkeys (person_id)`.execute(trx)
  await table('used_challenges')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('expires_at', integer, c => c.notNull())
    .execute()
  await trx.schema.alterTable('audit_log').addColumn('person_id', 'text').execute()
}
