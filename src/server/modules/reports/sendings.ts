import { sql } from 'kysely'
import type { SendingState } from '#domain/sending/sending.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** What became of the gifts that givers had mailed on a day; numbers of gifts. */
export interface SendingsReport {
  /** Their day is to come. */
  readonly planned: number
  /** The mail has gone, or is on its way. */
  readonly sent: number
  /** They are their givers' again. */
  readonly returned: number
  /** Nothing was mailed. */
  readonly stopped: number
}

/** Counts them, by their states. */
export async function readSendings(db: Reader): Promise<SendingsReport> {
  const rows = await db
    .selectFrom('sendings')
    .select(['state', sql<number>`count(*)`.as('gifts')])
    .groupBy('state')
    .execute()
  const of = (...states: readonly SendingState[]) =>
    rows.filter(row => states.includes(row.state)).reduce((sum, row) => sum + Number(row.gifts), 0)
  return {
    planned: of('planned'),
    sent: of('sending', 'sent', 'reminding', 'over'),
    returned: of('returned'),
    stopped: of('stopped'),
  }
}
