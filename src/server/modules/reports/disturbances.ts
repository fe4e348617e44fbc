import { HOUR_MS } from '#domain/durations.ts'
import { INCIDENTS_SHOWN_MS, type StatusPart, type Watch, watchedSince } from '#domain/status.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { jobRecords } from '#server/platform/job-runner/lease.ts'

/** How often in a row the asking after open payments has to fail before visitors are told. */
const FAILED_OFTEN = 3

/**
 * The parts that do not work, by what the site's own checks have seen.
 * @param alarms that were just raised
 * @param now epoch ms UTC
 */
export async function disturbedParts(
  db: Reader,
  alarms: ReadonlySet<string>,
  now: number,
): Promise<ReadonlySet<StatusPart>> {
  const parts = new Set<StatusPart>()
  const jobs = await jobRecords(db)
  const failures = (name: string): number => {
    const job = jobs.find(each => each.name === name)
    return job?.outcome === 'failed' ? Number(job.result.failures ?? 1) : 0
  }
  if (alarms.has('webhook-silent') || failures('reconcile') >= FAILED_OFTEN) parts.add('payments')
  if (failures('public-ledger') > 0) parts.add('ledger')
  // Whoever types the address of a mailbox that is away makes one mail fail. That disturbs nobody else.
  if (alarms.has('mail-failing') && !(await isAnyDelivered(db, now - HOUR_MS))) parts.add('mail')
  return parts
}

async function isAnyDelivered(db: Reader, since: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('done_at', '>', since)
    .where('failed_reason', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The sighting since when the checks are made without a break. */
const WATCHED = 'watched-since'

/** When the checks were made, as the job runner and they themselves wrote it down. */
export async function watchOf(db: Reader): Promise<Watch> {
  const job = await db
    .selectFrom('periodic_jobs')
    .select('finished_at')
    .where('name', '=', 'watch')
    .executeTakeFirst()
  return { since: (await sightedAt(db, WATCHED)) ?? null, last: job?.finished_at ?? null }
}

/** Writes down what begins and what is over, and forgets what is not shown any more. @param now epoch ms UTC */
export async function keepDisturbances(
  db: Database,
  parts: ReadonlySet<StatusPart>,
  now: number,
): Promise<void> {
  const open = await db.read(reader =>
    reader.selectFrom('disturbances').select(['part', 'since']).where('until', 'is', null).execute(),
  )
  const watch = await db.read(watchOf)
  const begun = [...parts].filter(part => !open.some(each => each.part === part))
  const over = open.filter(({ part }) => !parts.has(part))
  await db.transaction(async trx => {
    await sight(trx, WATCHED, watchedSince(watch, now))
    for (const part of begun)
      await trx
        .insertInto('disturbances')
        .values({ part, since: now, until: null })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    for (const { part, since } of over)
      await trx
        .updateTable('disturbances')
        // A clock may have been put back meanwhile.
        .set({ until: Math.max(since, now) })
        .where('part', '=', part)
        .where('until', 'is', null)
        .execute()
    await trx
      .deleteFrom('disturbances')
      .where('until', '<', now - INCIDENTS_SHOWN_MS)
      .execute()
  })
}
