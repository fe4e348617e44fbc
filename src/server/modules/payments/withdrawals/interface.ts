import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Theme } from '#domain/themes.ts'
import type { Chosen } from '#domain/withdrawal/choice.ts'
import type { WithdrawalAnswer, WithdrawalState } from '#domain/withdrawal/withdrawal.ts'
import type { UnusedOfMany } from '#server/modules/payments/many/interface.ts'

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
  /** The numbers of the cards that it is from, of an order of many; missing where it is from all of its order. */
  readonly cards?: readonly number[] | undefined
  /** Were some of them used, so that of those the support alone goes back? */
  readonly areSomeUsed: boolean
}

/** What a press would give back of an order of many. */
export interface ChosenCards {
  readonly unused: readonly UnusedOfMany[]
  /** How many others there are: they were used, and their support goes back. */
  readonly used: number
  /** Of all of them. */
  readonly back: Money
}

/** A purchase, as the page with the button shows it to its buyer. */
export interface WithdrawablePurchase extends WithdrawalWords {
  readonly orderId: string
  readonly kind: GiftKind
  /** Is it, or was it to be, paid by invoice? */
  readonly byTransfer: boolean
  /** Has no payment arrived yet? */
  readonly isAwaited: boolean
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
  /** Of an order of many cards that is paid; missing for every other. */
  readonly many?: {
    /** Every withdrawal that there is, the first one first. */
    readonly withdrawals: readonly ConfirmedWithdrawal[]
    /** All that is left. */
    readonly left: ChosenCards
    /** What was chosen of it; missing where nothing was, or nothing of it can be given back. */
    readonly chosen?: ChosenCards
  }
}

/** A withdrawal by somebody who has not shown that they are the buyer. */
export interface WithdrawalStatement extends WithdrawalWords {
  /** The text as the buyer wrote it; '' without one. */
  readonly order: string
  readonly language: Language
}

/** Withdrawing from a purchase (product.md#withdrawal). */
export interface Withdrawals {
  /**
   * Problem payment-not-found for every wrong key.
   * @param chosen of an order of many: what is to be looked at before it is confirmed
   */
  open(orderId: string, key: string, chosen?: Chosen): Promise<OpenedWithdrawal>
  /**
   * Withdraws, once: pressed again it says the same, and only after a refund that failed it asks for another one. From an
   * order of many its buyer can withdraw several times, each time from other cards.
   * Problems: payment-not-found; invalid-fields where none of the chosen cards can be given back, nor was before.
   * @param chosen all that are left, if it is missing; of an order of one it says nothing
   */
  confirm(orderId: string, key: string, words: WithdrawalWords, chosen?: Chosen): Promise<OpenedWithdrawal>
  /**
   * Keeps a statement with its time, and has a link sent to the order's own address. The answer is the same for every
   * address, and so is the work. @returns when it was stated, epoch ms UTC
   */
  state(statement: WithdrawalStatement): Promise<{ readonly at: number }>
  /** The key of a purchase whose Checkout session this is: whoever paid may withdraw before any mail has come. */
  keyOfSession(sessionId: string): Promise<{ readonly orderId: string; readonly key: string } | undefined>
}
