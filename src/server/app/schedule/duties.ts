import { dayInMadrid } from '#domain/days.ts'
import { dutiesDue, firstWorkingDay, type Known, lateSince } from '#domain/desk/duties.ts'
import { HOUR_MS } from '#domain/durations.ts'
import { timeInMadrid } from '#domain/madrid.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import { alarmKey } from '#server/modules/letters/alarms.ts'
import { noteReview, noteVersion } from '#server/modules/reports/duties.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

/** The hour in Madrid from which the mail goes. */
const MORNING = 8

export interface DutiesTools {
  readonly db: Database
  readonly clock: Clock
  /** Its alarms reach the operator. */
  readonly log: Log
  /** The day on which the list of organisations was last reviewed. */
  readonly reviewedAt: () => string
  /** The product's own version. */
  readonly version: string
  /** Reads what is known of the duties where nobody waits: it is a sum over every gift. @param now epoch ms UTC */
  readonly known: (now: number) => Promise<Known>
}

/** When it was last looked whether something has become late. */
const LOOKED = 'late-duties-looked'

/**
 * Asks the operator once a month for what is due, on the month's first working day, or as soon after it as the site runs;
 * and once for each duty on the morning on which it becomes late. The keys of the mails are the month's and the duty's, so
 * that there is one of each however many servers look.
 */
export function duties(tools: DutiesTools): PeriodicJob {
  return {
    name: 'duties',
    everyMs: HOUR_MS,
    firstAfterMs: HOUR_MS,
    async run() {
      await noteReview(tools.db, tools.reviewedAt())
      const now = tools.clock()
      await noteVersion(tools.db, tools.version, now)
      const due = await askForMonth(tools, now)
      return { due, late: await tellOfLate(tools, now) }
    },
  }
}

const isMorning = (day: string, now: number): boolean =>
  timeInMadrid(now) >= Date.parse(`${day}T00:00:00Z`) + MORNING * HOUR_MS

/** @returns how many duties the mail of the month asks for, where it was written now */
async function askForMonth({ db, log, known }: DutiesTools, now: number): Promise<number> {
  const alarm: AlarmKind = 'duties-due'
  const asked = firstWorkingDay(dayInMadrid(now))
  if (!isMorning(asked, now)) return 0
  const month = asked.slice(0, 7)
  const key = `${alarmKey(alarm)}:${month}`
  const told = await db.read(reader =>
    reader.selectFrom('jobs').select('id').where('dedupe_key', '=', key).executeTakeFirst(),
  )
  if (told !== undefined) return 0
  // Of the day of the mail, although it may be later: so a month's mail asks for the same things on any day.
  const due = dutiesDue(await known(now), asked)
  if (due.length === 0) return 0
  const late = due.filter(({ isLate }) => isLate).length
  const list = due.map(({ says }) => says).join('\n\n')
  log.error(alarm, new Error(alarm), { month, due: due.length, late, list })
  return due.length
}

/** @returns of how many duties it was told that they are late now */
async function tellOfLate({ db, log, known }: DutiesTools, now: number): Promise<number> {
  const alarm: AlarmKind = 'duty-late'
  const today = dayInMadrid(now)
  if (!isMorning(today, now)) return 0
  const lookedAt = await db.read(reader => sightedAt(reader, LOOKED))
  const lastLook = lookedAt === undefined ? today : dayInMadrid(lookedAt)
  if (lookedAt !== undefined && lastLook >= today) return 0
  const late = lateSince(dutiesDue(await known(now), today), lastLook).map(
    ({ name, opened, title, says }) => ({ duty: `${name}:${opened}`, title, says }),
  )
  await db.transaction(async trx => {
    for (const facts of late) await log.queueAlarm?.(trx, alarm, facts)
    await sight(trx, LOOKED, now)
  })
  for (const facts of late) log.error(alarm, new Error(alarm), facts)
  return late.length
}
