import { type Audience, readAudience } from '#server/analytics/report.ts'
import { askAside } from '#server/aside/aside.ts'
import type { Database, Location } from '#server/db/database.ts'
import { readSummary, type Summary } from '#server/ledger/summary.ts'

/** The figures of the whole business and of its visitors, at an instant in epoch ms UTC. */
export interface Figures {
  summary(now: number): Promise<Summary>
  audience(now: number): Promise<Audience>
}

/**
 * Reads them where nobody waits: three seconds for a million cards, in which the embedded database's own process
 * would answer nobody. PostgreSQL's is a process of its own already.
 */
export function createFigures(db: Database, location: Location): Figures {
  if (db.engine === 'postgres')
    return {
      summary: now => db.snapshot(reader => readSummary(reader, now)),
      audience: now => db.snapshot(reader => readAudience(reader, now)),
    }
  return {
    summary: shared(now => askAside('summary', location, now)),
    audience: shared(now => askAside('audience', location, now)),
  }
}

/** Whoever asks while an answer is being read gets the same: one process, however often a page is loaded anew. */
function shared<T>(read: (now: number) => Promise<T>): (now: number) => Promise<T> {
  let reading: Promise<T> | undefined
  return now => {
    reading ??= read(now).finally(() => {
      reading = undefined
    })
    return reading
  }
}
