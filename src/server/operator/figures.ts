import { askAside } from '#server/aside/aside.ts'
import { type AnswerTo, QUESTIONS, type Question } from '#server/aside/questions.ts'
import type { Database, Location } from '#server/db/database.ts'

/** What is told of the whole business, its cards and mails, its payouts and its visitors, at an instant in epoch ms UTC. */
export type Figures = {
  readonly [Q in 'summary' | 'counts' | 'payouts' | 'audience']: (now: number) => Promise<AnswerTo<Q>>
}

/** Twenty times what a million cards take. A process that hangs is not waited for: the next one may answer. */
const LONGEST_MS = 60_000

/**
 * Reads them where nobody waits: three seconds for a million cards, in which the embedded database's own process
 * would answer nobody. PostgreSQL's is a process of its own already.
 */
export function createFigures(db: Database, location: Location): Figures {
  const ask = <Q extends Question>(question: Q) =>
    shared((now): Promise<AnswerTo<Q>> => {
      if (db.engine === 'sqlite')
        return askAside(question, location, now, { signal: AbortSignal.timeout(LONGEST_MS) })
      return QUESTIONS[question](db, now) as Promise<AnswerTo<Q>>
    })
  return {
    summary: ask('summary'),
    counts: ask('counts'),
    payouts: ask('payouts'),
    audience: ask('audience'),
  }
}

/**
 * Whoever asks while an answer is being read gets the same: one process, or one of the connections that visitors
 * need, however often a page is loaded anew.
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
