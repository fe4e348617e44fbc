import type { DeadLink } from '#server/modules/content/links/looks.ts'
import type { Owed } from '#server/modules/payouts/owed.ts'
import type { Audience } from '#server/modules/reports/audience.ts'
import type { Summary } from '#server/modules/reports/summary.ts'

/** What the operator's interface reads. */
export interface OperatorReports {
  summary(): Promise<DeskSummary>
  /** What visitors of the last thirty days allowed us to count. */
  audience(): Promise<Audience>
  /** Every payout as a table; that it was asked for is written down. */
  payoutsCsv(): Promise<string>
}

/** The figures of the business, and what of the content waits for the operator. */
export interface DeskSummary extends Omit<Summary, 'owed'> {
  readonly owed: readonly (Owed & { readonly name: string })[]
  readonly review: { readonly reviewedAt: string; readonly isDue: boolean }
  readonly campaigns: readonly {
    readonly tag: string
    readonly active: boolean
    readonly stock: number
    readonly claimed: number
  }[]
  /** Links of organisations that have failed on several days. */
  readonly deadLinks: readonly DeadLink[]
}
