import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Theme } from '#domain/themes.ts'
import type { WithdrawalAnswer, WithdrawalState } from '#domain/withdrawal/withdrawal.ts'

/** What a buyer writes on the form. */
export interface WithdrawalWords {
  readonly name: string
  readonly email: string
}

/** A withdrawal that was confirmed. Times are epoch ms UTC. */
export interface ConfirmedWithdrawal extends WithdrawalWords {
  readonly state: WithdrawalState
  readonly answer: WithdrawalAnswer
  /** What goes back; nothing where nothing does. */
  readonly amount: Money
  readonly statedAt: number
  readonly confirmedAt: number
}

/** A purchase, as the page with the button shows it to its buyer. */
export interface WithdrawablePurchase extends WithdrawalWords {
  readonly orderId: string
  readonly kind: GiftKind
  readonly total: Money
  readonly boughtAt: number
  /** The first instant after the last day, epoch ms UTC. */
  readonly endsAt: number
  /** What it would be answered with now. */
  readonly answer: WithdrawalAnswer
  /** Missing until it is confirmed. */
  readonly confirmed?: ConfirmedWithdrawal
}

/** A purchase whose key its buyer has shown. */
export interface OpenedWithdrawal extends WithdrawablePurchase {
  readonly theme: Theme
  /** What would go back if it was confirmed now; nothing where nothing would. */
  readonly back: Money
}

/** A withdrawal by somebody who has not shown that they are the buyer. */
export interface WithdrawalStatement extends WithdrawalWords {
  /** The text as the buyer wrote it; '' without one. */
  readonly order: string
  readonly language: Language
}

/** Withdrawing from a purchase (product.md#withdrawal). */
export interface Withdrawals {
  /** Problem payment-not-found for every wrong key. */
  open(orderId: string, key: string): Promise<OpenedWithdrawal>
  /**
   * Withdraws, once: pressed again it says the same, and only after a refund that failed it asks for another one.
   * Problem payment-not-found.
   */
  confirm(orderId: string, key: string, words: WithdrawalWords): Promise<OpenedWithdrawal>
  /**
   * Keeps a statement with its time, and has a link sent to the order's own address. The answer is the same for every
   * address, and so is the work. @returns when it was stated, epoch ms UTC
   */
  state(statement: WithdrawalStatement): Promise<{ readonly at: number }>
  /** The key of a purchase whose Checkout session this is: whoever paid may withdraw before any mail has come. */
  keyOfSession(sessionId: string): Promise<{ readonly orderId: string; readonly key: string } | undefined>
}
