import { MINUTE_MS } from '#domain/durations.ts'
import { expireSome } from '#server/modules/payments/expire.ts'
import type { PaymentsWithJobs } from '#server/modules/payments/payments.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

/** Finds paid orders whose events were lost, and, once after a backup was brought back, everything that it lacks. */
export function reconciliation(
  payments: Pick<PaymentsWithJobs, 'reconcile' | 'reconcileRestored'>,
): PeriodicJob {
  return {
    name: 'reconcile',
    everyMs: 5 * MINUTE_MS,
    async run() {
      const restored = await payments.reconcileRestored()
      return { ...restored, orders: await payments.reconcile() }
    },
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
