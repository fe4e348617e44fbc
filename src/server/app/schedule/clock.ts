import { hostname } from 'node:os'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CLOCKS_APART_MS, clockLead } from '#server/platform/db/database-time.ts'
import { forgetSight, sightedAt, sightFirst } from '#server/platform/db/sightings.ts'
import type { Log } from '#server/platform/log.ts'

export interface ClockTools {
  readonly db: Database
  readonly clock: Clock
  /** Its alarms reach the operator. */
  readonly log: Log
  /** By which the operator tells this machine from the others. */
  readonly server?: string
  /** Another clock in the place of the database's. */
  readonly sharedClock?: Clock
}

/**
 * Compares this server's clock with the database's, which all servers have in common, and tells the operator once where it
 * is wrong; again only after it was right. Every server looks for itself: a job that one of them does would see its own
 * clock alone.
 */
export async function lookAtClock({
  db,
  clock,
  log,
  server = hostname(),
  sharedClock,
}: ClockTools): Promise<void> {
  const lead = await clockLead(db, clock, sharedClock)
  const name = `clock-apart:${server}`
  const told = await db.read(reader => sightedAt(reader, name))
  if (Math.abs(lead) <= CLOCKS_APART_MS) {
    if (told !== undefined && (await db.transaction(trx => forgetSight(trx, name))))
      log.info('clock-together', { server })
    return
  }
  if (told !== undefined) return
  const alarm: AlarmKind = 'clock-apart'
  const now = clock()
  const seconds = Math.round(Math.abs(lead) / 1000)
  const facts = { server, seconds, isAhead: lead > 0, once: `${server} ${now}` }
  const isFirst = await db.transaction(async trx => {
    // Of two processes of one server the first one tells.
    if (!(await sightFirst(trx, name, now))) return false
    await log.queueAlarm?.(trx, alarm, facts)
    return true
  })
  if (isFirst) log.error(alarm, new Error(alarm), facts)
}
