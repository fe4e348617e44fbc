import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { mayLackSeals } from '#server/modules/integrity/checkpoints.ts'
import { countBare, sealers } from '#server/modules/integrity/seal-older.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

interface SealingTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly log: Log
}

/**
 * Seals the rows of versions without seals, once, when the site is upgraded. After that, a row without a seal is one
 * that another hand has written.
 */
export function sealing({ db, keys, clock, log }: SealingTools): PeriodicJob {
  return {
    name: 'sealing',
    everyMs: 3_600_000,
    async run(turn) {
      const now = clock()
      if (!(await db.read(reader => mayLackSeals(reader, keys, now)))) return { sealed: 0 }
      const alarm: AlarmKind = 'books-sealed'
      const rows = await db.read(countBare)
      // Before the first of them: whoever is stopped after the last has nothing left to tell of.
      if (rows > 0) await db.transaction(async trx => log.queueAlarm?.(trx, alarm, { rows }))
      let sealed = 0
      for (const sealSome of sealers(db, keys)) {
        for (let after: string | undefined = ''; after !== undefined; ) {
          const some: { readonly sealed: number; readonly after: string | undefined } = await sealSome(after)
          sealed += some.sealed
          after = some.after
          if (after !== undefined) await turn.goOn()
        }
      }
      if (sealed > 0) log.error(alarm, new Error(alarm), { rows: sealed })
      return { sealed }
    },
  }
}
