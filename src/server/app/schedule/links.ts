import { setTimeout as wait } from 'node:timers/promises'
import type { Looked } from '#server/modules/content/links/looks.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { PeriodicJob, Turn } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

const HOUR_MS = 3_600_000
/** Several links may lie with one host. */
const REST_MS = 2_000

/**
 * Asks the links of organisations, each once a week and one that fails once a day, and tells of those that failed on
 * several days.
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
        const day = new Date(since).toISOString().slice(0, 10)
        log.error(alarm, new Error(alarm), { organisation, link, reason, since: day, once: `${link} ${day}` })
      }
      for (const { organisation, link } of back) log.info('organisation-link-back', { organisation, link })
      return { asked, dead: dead.length }
    },
  }
}
