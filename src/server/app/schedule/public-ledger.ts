import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Sequenced } from '#server/modules/public-ledger/sequence.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

type GoOn = () => Promise<void>

/**
 * Writes the public ledger once a day, and its files. Asked for oftener, so that it is soon after midnight UTC.
 * @param write gives undefined where it was written today
 * @param derive writes the files that are missing, and gives the size of the log
 * @param published is told of it once everybody can read them
 */
export function publicLedger(
  write: (goOn: GoOn) => Promise<Sequenced | undefined>,
  derive: (goOn: GoOn) => Promise<number>,
  published: (size: number) => Promise<void>,
): PeriodicJob {
  return {
    name: 'public-ledger',
    everyMs: 20 * 60_000,
    irreversible: true,
    failure: 'public-ledger-stopped' satisfies AlarmKind,
    async run(turn) {
      const goOn = () => turn.goOn()
      const written = await write(goOn)
      const size = await derive(goOn)
      await published(size)
      return { size, ...(written && { leaves: written.leaves, waiting: written.waiting }) }
    },
  }
}
