import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { askAll, type Question } from '#server/modules/integrity/ask-all.ts'
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
import { certificateNumbersAmiss, certificatesAmiss } from '#server/modules/integrity/check-certificates.ts'
import { invoiceNumbersAmiss, invoicesAmiss } from '#server/modules/integrity/check-invoices.ts'
import {
  feesBorneWrong,
  movementsAmiss,
  movementsBookedWrong,
  movementTotals,
  providerPayoutsAmiss,
} from '#server/modules/integrity/check-movements.ts'
import { numbersAmiss } from '#server/modules/integrity/check-numbers.ts'
import {
  ordersBookedWrong,
  paidOrdersWithoutCard,
  paidOrdersWithoutPage,
  rowsWithoutCard,
} from '#server/modules/integrity/check-orders.ts'
import { payoutsAmiss, payoutsBookedWrong } from '#server/modules/integrity/check-payouts.ts'
import {
  announcedDrawsAmiss,
  publicEntriesAmiss,
  publicLeavesAmiss,
  setsNotPublic,
} from '#server/modules/integrity/check-public-ledger.ts'
import {
  receiptNumbersAmiss,
  refundsNumberedWrong,
  salesNumberedWrong,
} from '#server/modules/integrity/check-receipts.ts'
import { reversalsBookedWrong } from '#server/modules/integrity/check-reversals.ts'
import { SEAL_RULES } from '#server/modules/integrity/check-seals.ts'
import { checkTotals } from '#server/modules/integrity/check-totals.ts'
import { holdsAmiss, withdrawalsAmiss } from '#server/modules/integrity/check-withdrawals.ts'
import { mayLackSeals } from '#server/modules/integrity/checkpoints.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Database } from '#server/platform/db/database.ts'

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
  const seals = keys ? sealQuestions({ keys, now, onRule }) : []
  return askAll(db, [...BOOK_RULES, ...PUBLIC_RULES, ...seals], onRule)
}

/** The half of them that asks for the books alone. @returns as `checkLedger` */
export function checkBooks(
  db: Database,
  { onRule }: Required<Pick<CheckOptions, 'onRule'>>,
): Promise<readonly Finding[]> {
  return askAll(db, BOOK_RULES, onRule)
}

interface SealOptions extends Required<Pick<CheckOptions, 'onRule' | 'now'>> {
  readonly keys: CardKeys
}

/**
 * The other half, which takes about as long: whether the public ledger says what the books do, and every seal. On one
 * unchanging state of the data. @returns as `checkLedger`
 */
export function checkPublicLedgerAndSeals(db: Database, options: SealOptions): Promise<readonly Finding[]> {
  return askAll(db, [...PUBLIC_RULES, ...sealQuestions(options)], options.onRule)
}

const sealQuestions = ({ keys, now, onRule }: SealOptions): readonly Question[] =>
  SEAL_RULES.map(({ name, findings }) => ({
    name,
    ask: async reader =>
      findings(reader, {
        keys,
        mayLackSeals: await mayLackSeals(reader, keys, now),
        onPage: () => onRule(name),
      }),
  }))

const asQuestions = (rules: readonly Question['ask'][]): readonly Question[] =>
  rules.map(rule => ({ name: rule.name, ask: rule }))

const BOOK_RULES = asQuestions([
  numbersAmiss,
  unbalancedSets,
  unknownAccounts,
  entriesUnknown,
  cardsNobodyPaid,
  paidOrdersWithoutCard,
  paidOrdersWithoutPage,
  rowsWithoutCard,
  ordersBookedWrong,
  reversalsBookedWrong,
  receiptNumbersAmiss,
  salesNumberedWrong,
  refundsNumberedWrong,
  certificateNumbersAmiss,
  certificatesAmiss,
  invoiceNumbersAmiss,
  invoicesAmiss,
  withdrawalsAmiss,
  holdsAmiss,
  cardsBookedWrong,
  redemptionsAmiss,
  allocationsAmiss,
  drawsAmiss,
  organisationsBookedWrong,
  payoutsAmiss,
  payoutsBookedWrong,
  campaignsMiscounted,
  claimsAmiss,
  movementsBookedWrong,
  movementsAmiss,
  feesBorneWrong,
  providerPayoutsAmiss,
  movementTotals,
  checkTotals,
])

const PUBLIC_RULES = asQuestions([setsNotPublic, publicEntriesAmiss, publicLeavesAmiss, announcedDrawsAmiss])
