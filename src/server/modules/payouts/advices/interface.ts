import type { Money } from '#domain/money/money.ts'
import type { ReceiptFault } from '#domain/payout/advice.ts'

/** A payout, as the page shows it on which its organisation confirms it. Times are epoch ms UTC. */
export interface ConfirmablePayout {
  readonly ngoId: string
  readonly amount: Money
  /** The bank's. */
  readonly reference: string
  readonly paidAt: number
  readonly gifts: number
  readonly firstAt: number
  readonly lastAt: number
  /** null until the button was pressed. */
  readonly receivedAt: number | null
  readonly hasReceipt: boolean
  /** Why the file that was just sent is not taken; nothing was confirmed then. */
  readonly fault?: ReceiptFault
}

/** Confirmations by organisations (docs/decisions/0069-advice-mails.md). */
export interface ReceivedPayouts {
  /** Problem payment-not-found for every wrong key, and for a link that is withdrawn or over. */
  open(adviceId: string, key: string): Promise<ConfirmablePayout>
  /**
   * Notes that a payout has arrived, with the organisation's receipt where there is one. Once confirmed, nothing changes
   * any more. Problem payment-not-found.
   */
  confirm(adviceId: string, key: string, receipt?: Uint8Array): Promise<ConfirmablePayout>
}
