import { type AnswerTo, QUERIES, type Question } from '#server/modules/reports/queries.ts'
import { askWorker } from '#server/modules/reports/worker-process/worker-process.ts'
import { anyBooking, anyChange } from '#server/platform/db/changes.ts'
import type { Database, Location } from '#server/platform/db/database.ts'

/** What is told of the whole business, its cards and mails, its payouts and its visitors, at an instant in epoch ms UTC. */
export type Figures = {
  readonly [Q in 'summary' | 'duties' | 'counts' | 'payouts' | 'audience']: (
    now: number,
  ) => Promise<AnswerTo<Q>>
}

/** Twenty times what a million cards take. A process that hangs is not waited for: the next one may answer. */
const LONGEST_MS = 60_000
/** Some figures depend on the time too. */
const KEPT_MS = 60_000

/**
 * Reads them where nobody waits: three seconds for a million cards, in which the embedded database's own process
 * would answer nobody. PostgreSQL's is a process of its own already.
 */
export function createFigures(db: Database, location: Location): Figures {
  const ask = <Q extends Question>(question: Q, version = anyChange) => {
    if (db.engine === 'postgres') return shared(now => QUERIES[question](db, now) as Promise<AnswerTo<Q>>)
    const read = (now: number) =>
      askWorker(question, location, now, { signal: AbortSignal.timeout(LONGEST_MS) })
    return shared(whileUnchanged(() => db.read(version), read))
  }
  return {
    summary: ask('summary'),
    duties: ask('duties'),
    counts: ask('counts'),
    // The audit holds an entry for this reading too. That entry changes nothing in the table.
    payouts: ask('payouts', anyBooking),
    audience: ask('audience'),
  }
}

/** Nothing is read again as long as it would be the same: a process takes a tenth of a second and 80 MB. */
function whileUnchanged<T>(
  version: () => Promise<unknown>,
  read: (now: number) => Promise<T>,
): (now: number) => Promise<T> {
  let kept: { readonly version: unknown; readonly at: number; readonly answer: T } | undefined
  return async now => {
    const current = await version()
    if (kept === undefined || kept.version !== current || Math.abs(now - kept.at) >= KEPT_MS)
      kept = { version: current, at: now, answer: await read(now) }
    return kept.answer
  }
}

/**
 * Calls that arrive during a reading share its answer. So a page that is loaded again and again takes only one
 * process, or one of the connections that visitors need.
 */
function shared<T>(read: (now: number) => Promise<T>): (now: number) => Promise<T> {
  let reading: Promise<T> | undefined
  return now => {
    reading ??= read(now).finally(() => {
      reading = undefined
    })
    return reading
  }
}
