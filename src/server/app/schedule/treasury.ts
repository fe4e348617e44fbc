import { MINUTE_MS } from '#domain/durations.ts'
import type { ReadFacts } from '#server/modules/treasury/read.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

/** Books the movements of the payment provider. `read` gives the number of movements that it booked. */
export function providerMovements(read: (goOn: () => Promise<void>) => Promise<ReadFacts>): PeriodicJob {
  return {
    name: 'provider-movements',
    everyMs: 30 * MINUTE_MS,
    firstAfterMs: 3 * MINUTE_MS,
    run: async turn => ({ ...(await read(() => turn.goOn())) }),
  }
}
