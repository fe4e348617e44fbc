import { createAlarms } from '#server/modules/letters/alarms.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { diesBehindCommit, Killed } from './crash-points.ts'
import { quietLog } from './quiet-log.ts'

/** What a process of the site has: the database, and the log by which the operator hears of something. */
export interface Teller {
  readonly db: Database
  readonly log: Log
}

/** Something that the operator has to hear of, and that is noticed only once. */
export interface Noticed {
  readonly db: Database
  readonly clock: Clock
  /** What notices it. It is done again by another process. */
  act(by: Teller): Promise<unknown>
}

/**
 * Lets the process that notices something die behind its first commit, then another behind its second, and so on until one
 * lives to its end; after each another one does the same again.
 * @param given makes it ready anew for each of them
 * @returns how many mails of the alarm there were of each
 */
export async function mailsOf(
  alarm: string,
  given: (round: number) => Promise<Noticed>,
): Promise<readonly number[]> {
  const told: number[] = []
  for (let commit = 1; ; commit++) {
    const { db, clock, act } = await given(commit)
    const mails = () =>
      db.read(reader =>
        reader.selectFrom('jobs').select('id').where('dedupe_key', 'like', `alarm:${alarm}:%`).execute(),
      )
    const before = (await mails()).length
    const mortal = diesBehindCommit(commit)
    const dying = tellerOf(mortal.over(db), clock)
    await act(dying).catch(error => {
      if (!(error instanceof Killed)) throw error
    })
    await dying.silence()
    const living = tellerOf(db, clock)
    await act(living)
    await living.silence()
    told.push((await mails()).length - before)
    if (mortal.survived()) return told
  }
}

/** As many rounds as these, one mail each. */
export const oneEach = (told: readonly number[]): readonly number[] => told.map(() => 1)

function tellerOf(db: Database, clock: Clock): Teller & { silence(): Promise<unknown> } {
  const queuing = new Set<Promise<unknown>>()
  const { log } = createAlarms({
    db: {
      ...db,
      transaction(fn) {
        const queued = db.transaction(fn)
        queuing.add(queued.catch(() => {}))
        return queued
      },
    },
    clock,
    log: quietLog(),
    to: 'me@gift.example',
    transport: { async send() {}, close() {} },
    mailFrom: 'gifts@gift.example',
    siteUrl: 'https://gift.example',
  })
  // Nobody waits for a mail that is queued behind what it tells of.
  return { db, log, silence: () => Promise.all(queuing) }
}
