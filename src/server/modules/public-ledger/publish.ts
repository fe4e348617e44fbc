import { dayInUtc } from '#domain/days.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { isLogHeld } from './continue.ts'
import { refuseFork } from './files.ts'
import { LedgerAltered, type Sequenced, type SequenceTools, sequenceDays } from './sequence.ts'

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
  const done = await db.read(reader => sightedAt(reader, DONE))
  if (done !== undefined && dayInUtc(done) === dayInUtc(begun)) return undefined
  if (await db.read(isLogHeld))
    throw new LedgerAltered(
      'A backup was brought back, and nobody has said how the log goes on: `npm run ops -- ledger continue`.',
    )
  await refuseFork(db, tools.folder)
  const sequenced = await sequenceDays(tools, goOn)
  await db.transaction(trx => sight(trx, DONE, begun))
  return sequenced
}
