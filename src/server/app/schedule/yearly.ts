import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/durations.ts'
import { type AutoDonateTools, autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import {
  forgetSome,
  forgetUnpaid,
  forgetVolunteering,
  forgetWithdrawn,
} from '#server/modules/gifts/cards/forget.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

const YEAR_MS = 366 * DAY_MS

/** Gives away the credit of cards that nobody used in their year (product.md#a-year-later). */
export function autoDonation(tools: AutoDonateTools & { readonly log: Pick<Log, 'error'> }): PeriodicJob {
  return {
    name: 'auto-donation',
    everyMs: 15 * MINUTE_MS,
    irreversible: true,
    async run(turn) {
      let donated = 0
      const waiting: string[] = []
      for (let after: Awaited<ReturnType<typeof autoDonateSome>>['after']; ; ) {
        const some = await autoDonateSome({ ...tools, after })
        if (some.looked === 0) break
        after = some.after
        donated += some.given
        waiting.push(...some.waiting)
        await turn.goOn()
      }
      const [first] = waiting
      if (first === undefined) return { donated }
      const alarm: AlarmKind = 'unused-card-altered'
      tools.log.error(alarm, new Error(alarm), { cards: waiting.length, first })
      return { donated, waiting: waiting.length }
    },
  }
}

/** Reminds buyers of cards that nobody has used. */
export function reminders(tools: { readonly db: Database; readonly clock: Clock }): PeriodicJob {
  return {
    name: 'reminders',
    everyMs: HOUR_MS,
    irreversible: true,
    async run(turn) {
      let reminded = 0
      for (;;) {
        const { looked, queued } = await remindSome(tools)
        if (looked === 0) return { reminded }
        reminded += queued
        await turn.goOn()
      }
    },
  }
}

export interface RetentionTools {
  readonly db: Database
  readonly clock: Clock
  /** How long names and addresses are kept after a card was used, in ms. */
  readonly keepPersonsMs: number
  /** Deletes other data whose time is over, such as statistics, in portions. @returns how many rows; 0 when done */
  readonly alsoForget?: readonly ((now: number) => Promise<number>)[]
}

/** Forgets the people behind cards and orders whose time is over. The books keep the numbers (product.md#privacy). */
export function retention({ db, clock, keepPersonsMs, alsoForget = [] }: RetentionTools): PeriodicJob {
  return {
    name: 'retention',
    everyMs: DAY_MS,
    irreversible: true,
    async run(turn) {
      const before = clock() - keepPersonsMs
      let cards = 0
      for (let after: string | undefined = ''; after !== undefined; ) {
        const some = await forgetSome(db, before, after)
        cards += some.cleared
        after = some.after
        await turn.goOn()
      }
      let others = 0
      const forgets = [
        () => forgetUnpaid(db, before),
        () => forgetWithdrawn(db, before),
        // An invitation has the same year as a card, although nothing of it is ever given away.
        () => forgetVolunteering(db, before - YEAR_MS),
        ...alsoForget,
      ]
      for (const forget of forgets) {
        for (let some = await forget(clock()); some > 0; some = await forget(clock())) {
          others += some
          await turn.goOn()
        }
      }
      return { cards, others }
    },
  }
}
