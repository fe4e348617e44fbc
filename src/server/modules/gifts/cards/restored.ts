import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'

/** When a backup was brought back; gone once the operator has ended its reconciliation. */
const RESTORED = 'restored'
/** The last that the backup knows of. */
const STATE = 'restored-state'
/** When the provider was asked for everything since. */
const ASKED = 'restored-asked'

/** A backup that was brought back, as long as nobody has said that it is reconciled. Epoch ms UTC. */
export interface Restoration {
  readonly at: number
  /** The provider is asked for what came since then: longer ago than what the backup lacks can have begun. */
  readonly since: number
  /** undefined: not yet. */
  readonly askedAt: number | undefined
}

/** A payment may be begun a day before it is made. */
const MARGIN_MS = DAY_MS + HOUR_MS

/** The restoration that is not reconciled yet. */
export async function openRestoration(db: Reader): Promise<Restoration | undefined> {
  const at = await sightedAt(db, RESTORED)
  if (at === undefined) return undefined
  const state = (await sightedAt(db, STATE)) ?? 0
  const askedAt = await sightedAt(db, ASKED)
  return {
    at,
    since: Math.max(0, state - MARGIN_MS),
    askedAt: askedAt !== undefined && askedAt >= at ? askedAt : undefined,
  }
}

/** The table of the notes. A backup from before there was one has to be brought up to date first. */
export const RESTORATION_TABLE = 'sightings'

/**
 * The statements that note in a database that it is a backup that was brought back, as SQL of both engines: they are
 * carried out before the backup is in its place, so that a restore that is cut off leaves no database without the notes.
 * @param at epoch ms UTC
 */
export const restorationNotes = (at: number): readonly string[] => [
  // A restoration that was not reconciled is still to be asked for from where it began.
  note(
    STATE,
    `max(last) from (${NEWEST}) as newest`,
    `case when excluded.at < ${RESTORATION_TABLE}.at then excluded.at else ${RESTORATION_TABLE}.at end`,
  ),
  note(RESTORED, `${Math.trunc(at)}`),
]

const NEWEST = ['orders', 'redemptions', 'audit_log'].reduce(
  (all, table) => `${all} union all select max(created_at) from ${table}`,
  'select 0 as last',
)

const note = (name: string, value: string, again = 'excluded.at'): string =>
  `insert into ${RESTORATION_TABLE} (name, at) select '${name}', ${value} where true
   on conflict (name) do update set at = ${again}`

/** Notes the same in a database that is open. @param at epoch ms UTC */
export async function noteRestoration(trx: Writer, at: number): Promise<void> {
  for (const each of restorationNotes(at)) await sql.raw(each).execute(trx)
}

/** Notes that the provider was asked for everything. @param at epoch ms UTC */
export const noteAsked = (trx: Writer, at: number): Promise<void> => sight(trx, ASKED, at)

/** What was used after the backup is known, or nobody will ever know: cards can be given again. */
export async function endRestoration(trx: Writer): Promise<void> {
  await trx.deleteFrom('sightings').where('name', 'in', [RESTORED, STATE, ASKED]).execute()
}

const COME_BACK_AFTER_SECONDS = 600

/**
 * A card that the backup has may have been used since: until that is looked at nobody can give it a second time.
 * @throws Problem temporarily-unavailable
 */
export async function refuseUnreconciled(trx: Writer, cardId: string): Promise<void> {
  const restoredAt = await sightedAt(trx, RESTORED)
  if (restoredAt === undefined) return
  const { created_at: madeAt } = await trx
    .selectFrom('cards')
    .select('created_at')
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow()
  if (madeAt < restoredAt)
    throw new Problem('temporarily-unavailable', { retryAfterSeconds: COME_BACK_AFTER_SECONDS })
}
