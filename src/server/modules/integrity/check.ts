import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import {
  entriesUnknown,
  organisationsBookedWrong,
  unbalancedSets,
  unknownAccounts,
} from '#server/modules/integrity/check-books.ts'
import { campaignsMiscounted, claimsAmiss } from '#server/modules/integrity/check-campaigns.ts'
import {
  allocationsAmiss,
  cardsBookedWrong,
  cardsNobodyPaid,
  drawsAmiss,
  redemptionsAmiss,
} from '#server/modules/integrity/check-cards.ts'
import { ordersBookedWrong, paidOrdersWithoutCard } from '#server/modules/integrity/check-orders.ts'
import { payoutsAmiss, payoutsBookedWrong } from '#server/modules/integrity/check-payouts.ts'
import { reversalsBookedWrong } from '#server/modules/integrity/check-reversals.ts'
import { SEAL_RULES } from '#server/modules/integrity/check-seals.ts'
import { checkTotals } from '#server/modules/integrity/check-totals.ts'
import { mayLackSeals } from '#server/modules/integrity/checkpoints.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

export type { Finding } from '#server/modules/integrity/findings.ts'

interface CheckOptions {
  /** Called with the name of each rule, and between the pages of long ones, and waited for. */
  readonly onRule?: (rule: string) => unknown
  /** The seals are looked at where there are keys to make them again. */
  readonly keys?: CardKeys | undefined
  /** Epoch ms UTC. */
  readonly now?: number
}

/**
 * Verifies every invariant of the money, on one unchanging state of the data.
 * @returns what is wrong, at most a hundred findings per rule; nothing when all is well
 */
export async function checkLedger(
  db: Database,
  { onRule = () => {}, keys, now = 0 }: CheckOptions = {},
): Promise<readonly Finding[]> {
  return db.snapshot(async reader => {
    const findings: Finding[] = []
    for (const rule of RULES) {
      await onRule(rule.name)
      findings.push(...(await rule(reader)))
    }
    if (keys) findings.push(...(await sealsIn(reader, { keys, now, onRule })))
    return findings
  })
}

interface SealOptions extends Required<Pick<CheckOptions, 'onRule' | 'now'>> {
  readonly keys: CardKeys
}

/** Looks at every seal, on one unchanging state of the data. @returns as `checkLedger` */
export function checkSeals(db: Database, options: SealOptions): Promise<readonly Finding[]> {
  return db.snapshot(reader => sealsIn(reader, options))
}

async function sealsIn(reader: Reader, { keys, now, onRule }: SealOptions): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const lacking = await mayLackSeals(reader, keys, now)
  for (const rule of SEAL_RULES) {
    const onPage = () => onRule(rule.name)
    await onPage()
    findings.push(...(await rule.findings(reader, { keys, mayLackSeals: lacking, onPage })))
  }
  return findings
}

const RULES: readonly ((db: Reader) => Promise<readonly Finding[]>)[] = [
  unbalancedSets,
  unknownAccounts,
  entriesUnknown,
  cardsNobodyPaid,
  paidOrdersWithoutCard,
  ordersBookedWrong,
  reversalsBookedWrong,
  cardsBookedWrong,
  redemptionsAmiss,
  allocationsAmiss,
  drawsAmiss,
  organisationsBookedWrong,
  payoutsAmiss,
  payoutsBookedWrong,
  campaignsMiscounted,
  claimsAmiss,
  checkTotals,
]
