import { STATUS_PARTS, type Status, statusOf } from '#domain/status.ts'
import type { Clock } from '#server/platform/clock.ts'
import { csvFile, figure } from '#server/platform/csv.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { watchOf } from './disturbances.ts'

/** The state of the site, with what else says that it is alive. Days are `YYYY-MM-DD`, UTC. */
export interface ShownStatus extends Status {
  /** Since when visitors see the present content. */
  readonly published: string
  /** Of the newest head of the public ledger; null before the first. */
  readonly checkpoint: string | null
}

/** The state of the site as a table: RFC 4180, a header; hours are begun ones, of what lasts there are none yet. */
export function statusCsv({ parts, watched, published, checkpoint, incidents }: ShownStatus): string {
  return csvFile([
    ['what', 'part', 'state', 'day', 'hours'],
    ['published', '', '', published, ''],
    ['checkpoint', '', '', checkpoint ?? '', ''],
    ['watched', '', '', watched ?? '', ''],
    ...STATUS_PARTS.map(part => ['part', part, parts[part], '', '']),
    ...incidents.map(({ part, day, hours }) => [
      'incident',
      part,
      '',
      day,
      hours === null ? '' : figure(String(hours)),
    ]),
  ])
}

/** The state of the site for anybody, as it was last read: no visitor costs a look at anything. */
export interface PublicStatus {
  current(): Status
  /** Reads again, and says whether it is another now. A failure is logged, and what was read stays. */
  refresh(): Promise<boolean>
}

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** What the job `watch` has seen last (disturbances.ts). */
export function createPublicStatus({ db, clock, log }: Parts): PublicStatus {
  let kept = statusOf([], { since: null, last: null }, clock())
  return {
    current: () => kept,
    async refresh() {
      const before = JSON.stringify(kept)
      try {
        const [disturbances, watch] = await Promise.all([
          db.read(reader => reader.selectFrom('disturbances').selectAll().execute()),
          db.read(watchOf),
        ])
        kept = statusOf(disturbances, watch, clock())
      } catch (error) {
        log.error('public-status-not-read', error)
      }
      return JSON.stringify(kept) !== before
    },
  }
}
