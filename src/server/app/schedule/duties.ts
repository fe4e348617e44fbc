import { dayInMadrid } from '#domain/days.ts'
import { dutiesDue, firstWorkingDay, type Known } from '#domain/desk/duties.ts'
import { timeInMadrid } from '#domain/madrid.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import { alarmKey } from '#server/modules/letters/alarms.ts'
import { noteReview } from '#server/modules/reports/duties.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

const HOUR_MS = 3_600_000
/** The hour in Madrid from which the mail goes. */
const MORNING = 8

export interface DutiesTools {
  readonly db: Database
  readonly clock: Clock
  /** Its alarms reach the operator. */
  readonly log: Log
  /** The day on which the list of organisations was last reviewed. */
  readonly reviewedAt: () => string
  /** Reads what is known of the duties where nobody waits: it is a sum over every gift. @param now epoch ms UTC */
  readonly known: (now: number) => Promise<Known>
}

/**
 * Asks the operator once a month for what is due, on the month's first working day, or as soon after it as the site runs.
 * The key of the mail is the month's, so that there is one however many servers look.
 */
export function duties({ db, clock, log, reviewedAt, known }: DutiesTools): PeriodicJob {
  const alarm: AlarmKind = 'duties-due'
  return {
    name: 'duties',
    everyMs: HOUR_MS,
    firstAfterMs: HOUR_MS,
    async run() {
      await noteReview(db, reviewedAt())
      const now = clock()
      const asked = firstWorkingDay(dayInMadrid(now))
      const month = asked.slice(0, 7)
      if (timeInMadrid(now) < Date.parse(`${asked}T00:00:00Z`) + MORNING * HOUR_MS) return { due: 0 }
      const key = `${alarmKey(alarm)}:${month}`
      const told = await db.read(reader =>
        reader.selectFrom('jobs').select('id').where('dedupe_key', '=', key).executeTakeFirst(),
      )
      if (told !== undefined) return { due: 0 }
      // Of the day of the mail, although it may be later: so a month's mail asks for the same things on any day.
      const due = dutiesDue(await known(now), asked)
      if (due.length === 0) return { due: 0 }
      const late = due.filter(({ isLate }) => isLate).length
      const list = due.map(({ says }) => says).join('\n\n')
      log.error(alarm, new Error(alarm), { month, due: due.length, late, list })
      return { due: due.length }
    },
  }
}
