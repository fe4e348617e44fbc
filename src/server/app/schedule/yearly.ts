import { type AutoDonateTools, autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import {
  forgetSome,
  forgetUnpaid,
  forgetVolunteering,
  forgetWithdrawn,
} from '#server/modules/gifts/cards/forget.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 366 * DAY_MS

/** Gives away what nobody used in its year (product.md#a-year-later). */
export function autoDonation(tools: AutoDonateTools): PeriodicJob {
  return {
    name: 'auto-donation',
    everyMs: 15 * MINUTE_MS,
    irreversible: true,
    async run(turn) {
      let donated = 0
      for (;;) {
        const { looked, given } = await autoDonateSome(tools)
        if (looked === 0) return { donated }
        donated += given
        await turn.goOn()
      }
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
  /** How long names and addresses are kept once a card is used. */
  readonly keepPersonsMs: number
  /** Deletes what else has had its time (analytics, say), some at a call. @returns how many rows; 0 when done */
  readonly alsoForget?: readonly ((now: number) => Promise<number>)[]
}

/** Forgets the people behind what is long over; the books keep the numbers (product.md#privacy). */
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
        // Their year is the same as a gift's, though nothing of them is ever given away.
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
