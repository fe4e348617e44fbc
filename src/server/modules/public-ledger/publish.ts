import { dayInUtc } from '#domain/days.ts'
import type { Database } from '#server/platform/db/database.ts'
import { refuseFork } from './files.ts'
import { type Sequenced, type SequenceTools, sequenceDays } from './sequence.ts'

/** The sighting of the last day on which everything that could be shown was written. */
const DONE = 'public-ledger-written'

export interface PublishTools extends SequenceTools {
  /** Where the published files lie. */
  readonly folder: string
}

/**
 * Writes the log once a day, soon after midnight UTC: a second head on the same day would tell when something happened.
 * @returns undefined where it was written today
 * @throws LedgerAltered where the lines, or the head that is published, are not those of this database
 */
export async function sequenceOnceADay(
  tools: PublishTools,
  goOn: () => Promise<void>,
): Promise<Sequenced | undefined> {
  const { db, clock } = tools
  const begun = clock()
  const seen = await db.read(reader =>
    reader.selectFrom('sightings').select('at').where('name', '=', DONE).executeTakeFirst(),
  )
  if (seen && dayInUtc(seen.at) === dayInUtc(begun)) return undefined
  await refuseFork(db, tools.folder)
  const sequenced = await sequenceDays(tools, goOn)
  await noteDone(db, begun)
  return sequenced
}

async function noteDone(db: Database, at: number): Promise<void> {
  await db.transaction(trx =>
    trx
      .insertInto('sightings')
      .values({ name: DONE, at })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ at }))
      .execute(),
  )
}
