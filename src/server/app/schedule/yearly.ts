import { dayInUtc } from '#domain/days.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/durations.ts'
import { announceSome, type DrawnBy } from '#server/modules/gifts/cards/announce-draws.ts'
import { type AutoDonateTools, autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { DRAWN } from '#server/modules/gifts/cards/cards-to-draw.ts'
import {
  forgetMessagesOfNobody,
  forgetSome,
  forgetUnpaid,
  forgetVolunteering,
  forgetWithdrawn,
} from '#server/modules/gifts/cards/forget.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import { forgetPrintedNames, forgetRowsOfOver } from '#server/modules/gifts/order-rows.ts'
import { forgetOldWishes } from '#server/modules/gifts/wishes.ts'
import type { AlarmKind } from '#server/modules/letters/alarm-kinds.ts'
import type { Values } from '#server/modules/public-ledger/announcements.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import type { Log } from '#server/platform/log.ts'

const YEAR_MS = 366 * DAY_MS

/** A draw that is so late is told of. */
const UNDRAWN_MS = 3 * DAY_MS

/** How draws are announced in the public ledger, and made by a value that nobody could know before. */
export interface AnnouncedDraws {
  /** Missing where nothing new is announced: what was announced before is drawn all the same. */
  readonly drawnBy?: () => Promise<DrawnBy>
  readonly values: () => Promise<Values>
}

interface AutoDonationTools extends AutoDonateTools {
  readonly log: Pick<Log, 'error'>
  readonly announcedDraws?: AnnouncedDraws
}

/** Gives away the credit of cards that nobody used in their year (product.md#a-year-later), or that were left to the draw. */
export function autoDonation({ announcedDraws, ...tools }: AutoDonationTools): PeriodicJob {
  const { log, clock } = tools
  const isAnnounced = announcedDraws?.drawnBy !== undefined
  return {
    name: 'auto-donation',
    everyMs: 15 * MINUTE_MS,
    irreversible: true,
    async run(turn) {
      const { announced, reason: silent } = await announceAll(tools, announcedDraws?.drawnBy, () =>
        turn.goOn(),
      )
      const { seeds, reason } = (await announcedDraws?.values()) ?? { seeds: new Map(), reason: undefined }
      let donated = 0
      const waiting: string[] = []
      const undrawn: { readonly id: string; readonly since: number }[] = []
      for (const which of DRAWN)
        for (let after: Awaited<ReturnType<typeof autoDonateSome>>['after']; ; ) {
          const some = await autoDonateSome({ ...tools, which, isAnnounced, seeds, after })
          if (some.looked === 0) break
          after = some.after
          donated += some.given
          waiting.push(...some.waiting)
          undrawn.push(...some.undrawn)
          await turn.goOn()
        }
      const late = undrawn.filter(({ since }) => clock() - since >= UNDRAWN_MS)
      if (late.length > 0) {
        const alarm: AlarmKind = 'unused-card-undrawn'
        const since = dayInUtc(Math.min(...late.map(each => each.since)))
        const why = reason ?? silent ?? 'its announcement is not published'
        log.error(alarm, new Error(alarm), { cards: late.length, since, reason: why })
      }
      const [first] = waiting
      if (first !== undefined) {
        const alarm: AlarmKind = 'unused-card-altered'
        log.error(alarm, new Error(alarm), { cards: waiting.length, first })
      }
      return {
        donated,
        ...(announced > 0 && { announced }),
        ...(undrawn.length > 0 && { undrawn: undrawn.length }),
        ...(waiting.length > 0 && { waiting: waiting.length }),
      }
    },
  }
}

/** @returns how many cards were announced, and why no more could be */
async function announceAll(
  tools: AutoDonateTools,
  drawnBy: AnnouncedDraws['drawnBy'],
  goOn: () => Promise<void>,
): Promise<{ readonly announced: number; readonly reason?: string }> {
  if (drawnBy === undefined) return { announced: 0 }
  let known: DrawnBy
  try {
    known = await drawnBy()
  } catch (error) {
    // What is due already is given all the same.
    return { announced: 0, reason: (error as Error).message }
  }
  let announced = 0
  for (const which of DRAWN)
    for (let after: Awaited<ReturnType<typeof announceSome>>['after']; ; ) {
      const some = await announceSome(tools, known, which, after)
      if (some.looked === 0) break
      after = some.after
      announced += some.announced
      await goOn()
    }
  return { announced }
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
        () => forgetMessagesOfNobody(db, before, before - YEAR_MS),
        () => forgetRowsOfOver(db, before),
        (now: number) => forgetPrintedNames(db, now),
        (now: number) => forgetOldWishes(db, now),
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
