import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'

/** The dependencies of withdrawals. */
export interface WithdrawalParts
  extends Pick<PaymentsDependencies, 'db' | 'clock' | 'keys' | 'log' | 'onQueued' | 'stripe'> {
  /** For how many days a purchase can be withdrawn from. */
  readonly withdrawalDays: number
}
