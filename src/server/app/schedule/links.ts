import { setTimeout as wait } from 'node:timers/promises'
import { dayInUtc } from '#domain/days.ts'
import { HOUR_MS } from '#domain/durations.ts'
import type { Looked } from '#server/modules/content/links/looks.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { PeriodicJob, Turn } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

/** The pause between two requests, since several links may point to one host. */
const REST_MS = 2_000

/**
 * Checks the links of organisations: each link once a week, and a failing one once a day. It reports the links that
 * failed on several days.
 */
export function organisationLinks(
  log: Log,
  look: (rest: () => Promise<void>) => Promise<Looked>,
): PeriodicJob {
  const alarm: AlarmKind = 'organisation-link-dead'
  return {
    name: 'organisation-links',
    everyMs: 24 * HOUR_MS,
    firstAfterMs: HOUR_MS,
    async run(turn: Turn) {
      const { asked, dead, back } = await look(async () => {
        await turn.goOn()
        await wait(REST_MS, undefined, { ref: false })
      })
      for (const { organisation, link, reason, since } of dead) {
        const day = dayInUtc(since)
        log.error(alarm, new Error(alarm), { organisation, link, reason, since: day, once: `${link} ${day}` })
      }
      for (const { organisation, link } of back) log.info('organisation-link-back', { organisation, link })
      return { asked, dead: dead.length }
    },
  }
}
