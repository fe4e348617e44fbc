import { dayInMadrid } from '#domain/days.ts'
import { type Due, type DutyName, dutiesDue, dutyOf, type Known } from '#domain/desk/duties.ts'
import { Problem } from '#domain/problems.ts'
import { DID, didSubject } from '#server/modules/reports/duties.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isNoted, noteOf, type Press, writeNote } from './press-notes.ts'

/** What the operator has to do, and that it was done. */
export interface DutyDesk {
  /** First what is late. */
  due(): Promise<readonly Due[]>
  /** Notes that a duty was done which no data show, once for each press. Problem act-refused. */
  note(name: DutyName, press: Press): Promise<{ readonly isRepeated: boolean }>
}

interface DutyDeskParts {
  readonly db: Database
  /** Epoch ms UTC. */
  readonly clock: () => number
  /** What is known of the duties now; it reads every gift, so visitors are not to wait for it. */
  readonly known: (now: number) => Promise<Known>
}

/** Makes the desk of duties. `ops due` and `ops did` are the same in the terminal. */
export function createDutyDesk({ db, clock, known }: DutyDeskParts): DutyDesk {
  return {
    async due() {
      const now = clock()
      return dutiesDue(await known(now), dayInMadrid(now))
    },
    async note(name, press) {
      if (dutyOf(name).known === 'data')
        throw new Problem('act-refused', { fields: [{ path: 'duty', rule: 'not-noted' }] })
      const note = noteOf(press, DID, didSubject(name, undefined))
      if (await isNoted(db, note)) return { isRepeated: true }
      return { isRepeated: !(await db.transaction(trx => writeNote(trx, note, clock()))) }
    },
  }
}
