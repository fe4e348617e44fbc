import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { type Log, reasonOf } from '#server/platform/log.ts'

/** Certificates renew themselves a month before their end: at this time it has failed for two weeks. */
const NEAR_MS = 14 * DAY_MS

export interface CertificateTools {
  readonly clock: Clock
  /** Its alarms reach the operator. */
  readonly log: Log
  /** The name under which browsers open the site. */
  readonly host: string
  /** Looks at the certificate as browsers get it. @throws where nothing answers, or where it is over (CERT_HAS_EXPIRED) */
  readonly look: () => Promise<{ readonly endsAt: number }>
}

/** Looks once a day whether the site's certificate is near its end, and alarms the operator. */
export function certificate({ clock, log, host, look }: CertificateTools): PeriodicJob {
  return {
    name: 'certificate',
    everyMs: DAY_MS,
    firstAfterMs: HOUR_MS,
    async run() {
      const alarm: AlarmKind = 'certificate-ending'
      try {
        const { endsAt } = await look()
        const until = dayInMadrid(endsAt)
        if (endsAt - clock() < NEAR_MS) log.error(alarm, new Error(alarm), { host, until })
        return { until }
      } catch (error) {
        // Some machines do not reach themselves under their own name: nothing is known of the certificate then.
        if (codeOf(error) !== 'CERT_HAS_EXPIRED') return { 'not seen': codeOf(error) ?? reasonOf(error) }
        log.error(alarm, new Error(alarm), { host, until: 'a day that is over' })
        return { until: 'over' }
      }
    },
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
