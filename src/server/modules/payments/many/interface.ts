import type { FiguresOfMany } from '#domain/card/figures-of-many.ts'
import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { Theme } from '#domain/themes.ts'

/** One card of an order that can be used now, as its buyer knows it. */
export interface UnusedOfMany {
  /** From 1 on, as on its sheet. */
  readonly number: number
  /** Whom the buyer named for it; null for nobody. */
  readonly name: string | null
}

/** A card with its links, while they are shown. */
export interface ShownOfMany extends UnusedOfMany {
  /** What the giver writes with it; null without anything. */
  readonly words: string | null
  readonly privateKey: string
  readonly publicKey: string
  /** As it is printed; null for a card from before there were words. */
  readonly checkWord: string | null
}

/** An order of many cards, as its page shows it. Times are epoch ms UTC. */
export interface OpenedMany {
  readonly orderId: string
  readonly theme: Theme
  /** That of the order: its cards speak it. */
  readonly language: Language
  /** null when anonymous. */
  readonly senderName: string | null
  /** Of each card. */
  readonly credit: Money
  readonly boughtAt: number
  /** From this instant on an unused card is given away. */
  readonly autoDonateAt: number
  readonly figures: FiguresOfMany
  readonly unused: readonly UnusedOfMany[]
  /** When links were shown last; null before the first time. */
  readonly shownAt: number | null
  /** Opens the page of withdrawals. */
  readonly withdrawalKey: string
  /** Was it paid by invoice? Its page opens by the same key. */
  readonly byInvoice: boolean
  /** Is the buyer's address known, so that a new address of the page can be mailed there? */
  readonly hasAddress: boolean
}

/** The same after a press that wants links. */
export interface PressedMany extends OpenedMany {
  /** By their numbers; missing where the press gets none, since links were shown before. */
  readonly shown?: readonly ShownOfMany[]
}

/** Which links are to be made anew: of every card that nobody has used, or of the one with this number. */
export type Renewed = 'all' | number

/** The pages of orders of many cards (product.md#many-cards). Each call has Problem payment-not-found for every wrong key. */
export interface ManyOrders {
  open(orderId: string, key: string): Promise<OpenedMany>
  /**
   * Shows the links of all unused cards, once. @param press by which a reload, and a file, is of the same showing
   * Problem invalid-fields where it is of no use for that.
   */
  show(orderId: string, key: string, press: string): Promise<PressedMany>
  /** Replaces links, and shows the new ones, once. The earlier ones are dead from then on. Problem invalid-fields. */
  renew(orderId: string, key: string, press: string, which: Renewed): Promise<PressedMany>
  /** What a press has been shown, for a file; nothing of it is shown once its time is over. */
  shownTo(orderId: string, key: string, press: string): Promise<PressedMany>
  /** Gives the page another address, which goes to the buyer's mailbox; the one before opens nothing any more. */
  move(orderId: string, key: string): Promise<void>
}
