import type { Database, Reader } from '#server/db/database.ts'
import { organisationsBookedWrong, unbalancedSets, unknownAccounts } from '#server/ledger/check-books.ts'
import { campaignsMiscounted } from '#server/ledger/check-campaigns.ts'
import {
  allocationsAmiss,
  cardsBookedWrong,
  cardsNobodyPaid,
  redemptionsAmiss,
} from '#server/ledger/check-cards.ts'
import { ordersBookedWrong, paidOrdersWithoutCard } from '#server/ledger/check-orders.ts'
import { payoutsAmiss, payoutsBookedWrong } from '#server/ledger/check-payouts.ts'
import { checkTotals } from '#server/ledger/check-totals.ts'
import type { Finding } from '#server/ledger/findings.ts'

export type { Finding } from '#server/ledger/findings.ts'

/**
 * Verifies every invariant of the money (ARCHITECTURE.md#rules-that-were-paid-for), on one unchanging state of the data.
 * @returns what is wrong, at most a hundred findings per rule; nothing when all is well
 */
export async function checkLedger(
  db: Database,
  /** Called with the name of each rule, and waited for, before it is checked. */
  onRule: (rule: string) => unknown = () => {},
): Promise<readonly Finding[]> {
  return db.snapshot(async reader => {
    const findings: Finding[] = []
    for (const rule of RULES) {
      await onRule(rule.name)
      findings.push(...(await rule(reader)))
    }
    return findings
  })
}

const RULES: readonly ((db: Reader) => Promise<readonly Finding[]>)[] = [
  unbalancedSets,
  unknownAccounts,
  cardsNobodyPaid,
  paidOrdersWithoutCard,
  ordersBookedWrong,
  cardsBookedWrong,
  redemptionsAmiss,
  allocationsAmiss,
  organisationsBookedWrong,
  payoutsAmiss,
  payoutsBookedWrong,
  campaignsMiscounted,
  checkTotals,
]
