import type { Insertable } from 'kysely'
import { Problem } from '#domain/problems.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Log } from '#server/platform/log.ts'

/** A queue of rows that are written in batches. */
type BatchTable = 'analytics_sessions' | 'analytics_events' | 'consent_records' | 'poll_answers'

export interface Batch {
  /** Keeps a row until the next write. @throws Problem too-many-requests when too many wait */
  add<T extends BatchTable>(table: T, row: Insertable<Schema[T]>): void
  /** Writes all waiting rows. Rows that cannot be written now keep waiting. */
  flush(): Promise<void>
}

/** Rows that may wait; a flood beyond it is refused, so that it fills no memory. */
const MOST_WAITING = 20_000
/** Rows of one statement: below every engine's limit of parameters. */
const ROWS_AT_ONCE = 250
const COMPLAIN_EVERY_MS = 60_000

type Waiting = { [T in BatchTable]: Insertable<Schema[T]>[] }

const nothing = (): Waiting => ({
  analytics_sessions: [],
  analytics_events: [],
  consent_records: [],
  poll_answers: [],
})

/** Makes an empty batch: what is put into it waits to be written with others in one transaction. */
export function createBatch({ db, clock, log }: { db: Database; clock: Clock; log: Log }): Batch {
  let waiting = nothing()
  let count = 0
  let complainedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    if (count === 0) return
    const batch = waiting
    const size = count
    waiting = nothing()
    count = 0
    try {
      await db.transaction(trx => writeAll(trx, batch))
    } catch (error) {
      for (const table of Object.keys(batch) as BatchTable[])
        (waiting[table] as object[]).unshift(...(batch[table] as object[]))
      count += size
      throw error
    }
  }

  return {
    add(table, row) {
      if (count >= MOST_WAITING) {
        // This holds too where the clock was put back meanwhile.
        if (Math.abs(clock() - complainedAt) >= COMPLAIN_EVERY_MS) {
          complainedAt = clock()
          log.error('analytics-overflow', new Error('more events arrive than can be written'), {
            waiting: count,
          })
        }
        throw new Problem('too-many-requests', { retryAfterSeconds: 1 })
      }
      count++
      ;(waiting[table] as Insertable<Schema[typeof table]>[]).push(row)
    },
    flush() {
      writing = writing.catch(() => {}).then(write)
      return writing
    },
  }
}

async function writeAll(trx: Writer, batch: Waiting): Promise<void> {
  for (const rows of inChunks(batch.analytics_sessions)) {
    await trx
      .insertInto('analytics_sessions')
      .values(rows)
      // A visitor of today who is seen again.
      .onConflict(conflict => conflict.column('id').doNothing())
      .execute()
  }
  for (const rows of inChunks(batch.analytics_events)) {
    const kept = await ofOpenSessions(trx, rows)
    if (kept.length > 0) await trx.insertInto('analytics_events').values(kept).execute()
  }
  for (const rows of inChunks(batch.consent_records))
    await trx.insertInto('consent_records').values(rows).execute()
  // Sorted by chance: which answers arrived together is nobody's business.
  const answers = batch.poll_answers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const rows of inChunks(answers)) await trx.insertInto('poll_answers').values(rows).execute()
}

type EventRow = Insertable<Schema['analytics_events']>

/** Without the events of sessions that are gone: their visitors have taken back what allowed them. */
async function ofOpenSessions(trx: Writer, rows: readonly EventRow[]): Promise<readonly EventRow[]> {
  const ids = [...new Set(rows.flatMap(({ session_id }) => session_id ?? []))]
  if (ids.length === 0) return rows
  const open = await trx.selectFrom('analytics_sessions').select('id').where('id', 'in', ids).execute()
  const isOpen = new Set(open.map(({ id }) => id))
  return rows.filter(({ session_id }) => session_id == null || isOpen.has(session_id))
}

function* inChunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
