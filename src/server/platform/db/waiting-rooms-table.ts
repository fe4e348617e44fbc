import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Who waits for their turn: one row for each room, however many wait in it. */
export async function createWaitingRooms({ integer, table }: MigrationTools): Promise<void> {
  await table('waiting_rooms')
    .addColumn('name', 'text', c => c.notNull().primaryKey())
    .addColumn('changes', integer, c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .execute()
}
