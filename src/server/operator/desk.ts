import { readAudience } from '#server/analytics/report.ts'
import type { Clock, OperatorDesk } from '#server/app.ts'
import { type ContentSnapshot, nameOfNgo } from '#server/content/snapshot.ts'
import type { Database } from '#server/db/database.ts'
import { readSummary } from '#server/ledger/summary.ts'
import { payoutsCsv } from '#server/payouts/csv.ts'
import { payouts } from '#server/payouts/payouts.ts'
import { audit } from './audit.ts'

const YEAR_MS = 366 * 24 * 3_600_000

export interface DeskParts {
  readonly db: Database
  readonly clock: Clock
  readonly content: () => ContentSnapshot
}

/** What the operator's interface reads. Every file that leaves the house is written down. */
export function createDesk({ db, clock, content }: DeskParts): OperatorDesk {
  const nameOf = (ngoId: string) => nameOfNgo(content(), ngoId, 'en')
  return {
    async summary() {
      const now = clock()
      const { ngoList, freeCampaigns } = content()
      const figures = await db.snapshot(reader => readSummary(reader, now))
      const claimed = await db.read(reader => reader.selectFrom('free_campaigns').selectAll().execute())
      return {
        ...figures,
        owed: figures.owed.map(each => ({ ...each, name: nameOf(each.ngoId) })),
        review: { reviewedAt: ngoList.reviewedAt, isDue: isReviewDue(ngoList.reviewedAt, now) },
        campaigns: freeCampaigns.map(({ tag, active, stock }) => ({
          tag,
          active,
          stock,
          claimed: claimed.find(row => row.tag === tag)?.claimed ?? 0,
        })),
      }
    },
    audience: () => db.snapshot(reader => readAudience(reader, clock())),
    async payoutsCsv() {
      const rows = await db.read(reader => payouts(reader))
      await audit(db, { actor: 'interface', action: 'payout csv', outcome: 'done' }, clock())
      return payoutsCsv(rows, nameOf)
    },
  }
}

/** The list of organisations is looked through once a year. `reviewedAt`: `YYYY-MM-DD`. */
export function isReviewDue(reviewedAt: string, now: number): boolean {
  return now - Date.parse(reviewedAt) > YEAR_MS
}
