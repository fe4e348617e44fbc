import type { Language } from '../languages.ts'

/**
 * Where the money comes from that a payment costs. It never is the organisations' amount: the books give them the whole
 * credit.
 */
export const FEE_PAYERS = ['support', 'own'] as const

export type FeePayer = (typeof FEE_PAYERS)[number]

/** What the payment provider takes for a payment, as the operator says it. */
export interface PaymentFee {
  /** In words and numbers; blank where the operator has not said it. */
  readonly cost: Readonly<Record<Language, string>>
  readonly paidFrom: FeePayer
}
