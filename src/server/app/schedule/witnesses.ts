import { dayInUtc } from '#domain/days.ts'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Witnessed } from '#server/modules/public-ledger/witnesses.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

/** For so long a witness may be away before the operator is told. */
const SILENT_DAYS = 3

/**
 * Asks the witnesses of the public ledger for their signatures of a new head. The ledger is published without them.
 * @param ask gives what came of it, a witness each
 */
export function witnesses(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  ask: (goOn: () => Promise<void>) => Promise<readonly Witnessed[]>,
): PeriodicJob {
  return {
    name: 'witnesses',
    everyMs: 10 * MINUTE_MS,
    async run(turn) {
      const outcomes = await ask(() => turn.goOn())
      for (const { witness, outcome, why = '', since = clock() } of outcomes) {
        const alarm: AlarmKind | undefined =
          outcome === 'differs'
            ? 'witness-differs'
            : outcome === 'silent' && clock() - since >= SILENT_DAYS * DAY_MS
              ? 'witness-silent'
              : undefined
        if (alarm !== undefined) log.error(alarm, new Error(alarm), { witness, why, since: dayInUtc(since) })
        else if (outcome === 'silent') log.info('witness-away', { witness, why })
      }
      const number = (...which: readonly Witnessed['outcome'][]) =>
        outcomes.filter(({ outcome }) => which.includes(outcome)).length
      return { signed: number('signed', 'known'), silent: number('silent', 'differs') }
    },
  }
}
