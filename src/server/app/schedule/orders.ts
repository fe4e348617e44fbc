import { MINUTE_MS } from '#domain/durations.ts'
import { expireSome } from '#server/modules/payments/expire.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

/** Finds paid orders whose events were lost. `look` gives the number of orders that it asked the provider about. */
export function reconciliation(look: () => Promise<number>): PeriodicJob {
  return {
    name: 'reconcile',
    everyMs: 5 * MINUTE_MS,
    run: async () => ({ orders: await look() }),
  }
}

/** Finishes withdrawals that a crash or a silent provider left half done. `finish` gives the number it looked at. */
export function withdrawals(finish: () => Promise<number>): PeriodicJob {
  return {
    name: 'withdrawals',
    everyMs: 5 * MINUTE_MS,
    firstAfterMs: MINUTE_MS,
    run: async () => ({ withdrawals: await finish() }),
  }
}

/** Closes orders whose time for the payment is over. */
export function expiry(tools: { readonly db: Database; readonly clock: Clock }): PeriodicJob {
  return {
    name: 'expire-orders',
    everyMs: 60 * MINUTE_MS,
    async run(turn) {
      let expired = 0
      for (let some = await expireSome(tools); some > 0; some = await expireSome(tools)) {
        expired += some
        await turn.goOn()
      }
      return { expired }
    },
  }
}
