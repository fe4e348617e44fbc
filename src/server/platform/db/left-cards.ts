import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** A recipient may leave a card to the draw: a state of its own until the draw, and a reason that stands for good. */
export async function createLeftCards({ trx, changeChecks }: MigrationTools): Promise<void> {
  await changeChecks('cards', [
    {
      from: "status in ('active', 'consumed', 'frozen', 'cancelling', 'revoked')",
      to: "status in ('active', 'left', 'consumed', 'frozen', 'cancelling', 'revoked')",
    },
  ])
  await changeChecks('card_holds', [
    {
      from: "reason in ('dispute', 'operator', 'withdrawal')",
      to: "reason in ('dispute', 'operator', 'withdrawal', 'draw')",
    },
  ])
  // Looked for every quarter of an hour, among all cards, and mostly none.
  await sql`create index cards_left on cards (auto_donate_at, id) where status = 'left'`.execute(trx)
}
