import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What visitors allowed us to count, and what they said without saying who they are (product.md#privacy). */
export async function createAnalytics({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('analytics_salts')
    .addColumn('day', 'text', c => c.notNull().primaryKey())
    .addColumn('salt', 'text', c => c.notNull())
    .execute()

  await table('analytics_sessions')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('user_id', 'text')
    .addColumn('level', 'text', c => c.notNull().check(sql`level in ('anonymous', 'pseudo-anonymous')`))
    .addColumn('device_class', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('campaign', 'text')
    .addColumn('timezone_offset', integer)
    .addColumn('device', 'text')
    .addColumn('created_at', integer, c => c.notNull())
    .addCheckConstraint(
      'analytics_anonymous_knows_nobody',
      sql`level <> 'anonymous' or (user_id is null and device is null and timezone_offset is null and campaign is null)`,
    )
    .execute()
  await trx.schema
    .createIndex('analytics_sessions_age')
    .on('analytics_sessions')
    .column('created_at')
    .execute()
  await trx.schema
    .createIndex('analytics_sessions_of')
    .on('analytics_sessions')
    .column('user_id')
    .where(sql`user_id`, 'is not', null)
    .execute()

  await table('analytics_events')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('session_id', 'text')
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('route', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('metadata', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await trx.schema
    .createIndex('analytics_events_by')
    .on('analytics_events')
    .columns(['name', 'created_at'])
    .execute()
  await trx.schema.createIndex('analytics_events_age').on('analytics_events').column('created_at').execute()
  await trx.schema
    .createIndex('analytics_events_of')
    .on('analytics_events')
    .column('session_id')
    .where(sql`session_id`, 'is not', null)
    .execute()

  await table('consent_records')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('choice', 'text', c => c.notNull())
    .addColumn('version', integer, c => c.notNull())
    .addColumn('text_hash', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()

  await table('poll_answers')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('poll', 'text', c => c.notNull())
    .addColumn('question', 'text', c => c.notNull())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('day', integer, c => c.notNull())
    .execute()
  await trx.schema.createIndex('poll_answers_to').on('poll_answers').columns(['poll', 'question']).execute()
}
