import { DAY_MS } from '#domain/durations.ts'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { deadLinks } from '#server/modules/content/links/looks.ts'
import { type ContentSnapshot, nameOfNgo } from '#server/modules/content/snapshot.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { payoutsCsv } from '#server/modules/payouts/csv.ts'
import type { OperatorReports } from '#server/modules/reports/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Figures } from './figures.ts'

const YEAR_MS = 366 * DAY_MS

export interface OperatorReportsParts {
  readonly db: Database
  readonly clock: Clock
  readonly content: () => ContentSnapshot
  readonly figures: Figures
}

/** What the operator's interface reads. Every file that leaves the server is written down. */
export function createOperatorReports({
  db,
  clock,
  content,
  figures,
}: OperatorReportsParts): OperatorReports {
  const nameOf = (ngoId: string) => nameOfNgo(content(), ngoId, DEFAULT_LANGUAGE)
  return {
    async summary() {
      const now = clock()
      const snapshot = content()
      const { ngoList, freeCampaigns } = snapshot
      const summary = await figures.summary(now)
      const claimed = await db.read(reader => reader.selectFrom('free_campaigns').selectAll().execute())
      return {
        ...summary,
        owed: summary.owed.map(each => ({ ...each, name: nameOf(each.ngoId) })),
        review: { reviewedAt: ngoList.reviewedAt, isDue: isReviewDue(ngoList.reviewedAt, now) },
        campaigns: freeCampaigns.map(({ tag, active, stock }) => ({
          tag,
          active,
          stock,
          claimed: claimed.find(row => row.tag === tag)?.claimed ?? 0,
        })),
        deadLinks: await db.read(reader => deadLinks(reader, snapshot)),
      }
    },
    audience: () => figures.audience(clock()),
    async payoutsCsv() {
      const rows = await figures.payouts(clock())
      await audit(db, { actor: 'interface', action: 'payout csv', outcome: 'done' }, clock())
      return payoutsCsv(rows, nameOf)
    },
  }
}

/** The list of organisations is looked through once a year. `reviewedAt`: `YYYY-MM-DD`. */
export function isReviewDue(reviewedAt: string, now: number): boolean {
  return now - Date.parse(reviewedAt) > YEAR_MS
}
