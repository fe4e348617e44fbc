import type { ReadFacts } from '#server/modules/treasury/read.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

const MINUTE_MS = 60_000

/** Books what moved at the payment provider. `read` says how much it booked. */
export function providerMovements(read: (goOn: () => Promise<void>) => Promise<ReadFacts>): PeriodicJob {
  return {
    name: 'provider-movements',
    everyMs: 30 * MINUTE_MS,
    firstAfterMs: 3 * MINUTE_MS,
    run: async turn => ({ ...(await read(() => turn.goOn())) }),
  }
}
