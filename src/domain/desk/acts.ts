import { type HoldReason, takesHold } from '../card/holds.ts'
import type { CardStatus } from '../card/states.ts'
import type { Currency } from '../money/currency.ts'
import type { ConfirmationRefusal } from './roles.ts'

/** What an operator does about one gift, from its timeline or at the terminal. */
export type Act =
  | { readonly act: 'resend'; readonly card: string }
  /** Corrects the address, and sends the links there. */
  | { readonly act: 'address'; readonly card: string; readonly email: string }
  /** The links that were sent are dead from now on; new ones are mailed. */
  | { readonly act: 'links'; readonly card: string }
  | { readonly act: 'hold'; readonly card: string }
  | { readonly act: 'release'; readonly card: string }
  /** Forgets what the giver wrote with it. */
  | { readonly act: 'blank'; readonly card: string }
  | ({ readonly act: 'refund'; readonly card: string } & RefundAsked)

export type ActName = Act['act']

/** New links of hundreds would be mailed to nobody, and money goes back for the cards that are meant. */
const OF_WHOLE_ORDER: Readonly<Record<ActName, boolean>> = {
  resend: true,
  address: true,
  links: false,
  hold: true,
  release: true,
  blank: true,
  refund: false,
}

/** Can an act be about all cards of an order of many at once? Those that cannot want one card to be named. */
export const isOfWholeOrder = (act: ActName): boolean => OF_WHOLE_ORDER[act]

export interface RefundAsked {
  /** Minor units. */
  readonly amount: number
  readonly currency: Currency
  /** What could still be given back when the operator looked. */
  readonly left: number
  /** Had somebody used the card by then? Then its price is the product's own loss. */
  readonly used: boolean
}

/** One of the calls that a press makes for a refund. */
export interface RefundCall {
  /** Which of many cards it is for, from 1 on; undefined where the order has one. */
  readonly number: number | undefined
  /**
   * When the provider last refused the same, epoch ms UTC, as it was known when this call began: it keeps a refusal under its key, so
   * that the next one is asked for under another.
   */
  readonly refusedAt: number | undefined
  /** By what the press is known that asks for it, however often it is sent. */
  readonly press: string
  /** Is it still to be asked for? Another call may have had the answer, or somebody released the card, while this one looked. */
  readonly stands: () => Promise<boolean>
}

/** Why an act was refused. */
export type ActRefusal =
  | ConfirmationRefusal
  /** Its buyer's address was never known, or is forgotten. */
  | 'no-address'
  | 'not-an-address'
  /** What is used, frozen or given back has no links to send, or to replace. */
  | 'not-shown'
  /** A gift that nobody paid has no money to give back, nor has one whose payment the provider does not know. */
  | 'nothing-paid'
  | 'disputed'
  /** The buyer has withdrawn: the refund is under way by itself. */
  | 'withdrawal-under-way'
  /** What was to be held is used, since somebody looked: nothing is left to hold. */
  | 'used'
  /** A refund of the card is under way: its hold ends by itself, and no other press begins one meanwhile. */
  | 'refund-under-way'
  /** More than is left, of the payment or of the card that it is for, or nothing. */
  | 'amount'
  | 'currency'
  /** Something came between the look and the act. */
  | 'changed'
  | 'provider-refused'
  /** An order of many was named, and the act is about one card. */
  | 'which-card'
  /** The key of another press. */
  | 'other-press'

/**
 * Is a hold refused? Where it could matter to none of its cards, now or later: whoever asks for it believes that nobody can use them
 * from then on. The same for one card and for all of an order. @param cards as the hold left them @returns why
 */
export const holdRefusal = (cards: readonly { readonly status: CardStatus }[]): ActRefusal | undefined =>
  cards.some(({ status }) => takesHold(status)) ? undefined : 'used'

/** What a release finds on one card. */
export interface ReleasedCard {
  /** Did the operator hold it, or a refund of which nothing was heard since? That is what a release ends. */
  readonly wasHeld: boolean
  /** Why else it is held. */
  readonly others: readonly Exclude<HoldReason, 'operator'>[]
}

/** What a release is told where something else holds the card, that which ends soonest first. A card is left to the draw for good. */
const STILL_HELD = [
  ['refund', 'refund-under-way'],
  ['withdrawal', 'withdrawal-under-way'],
  ['dispute', 'disputed'],
] as const satisfies readonly (readonly [HoldReason, ActRefusal])[]

/**
 * Is a release refused? Where it ends no hold, and something else holds one of its cards: whoever asks for it believes that
 * the card is free from then on. The same for one card and for all of an order. @returns why
 */
export function releaseRefusal(cards: readonly ReleasedCard[]): ActRefusal | undefined {
  if (cards.some(({ wasHeld }) => wasHeld)) return undefined
  const reasons: readonly HoldReason[] = cards.flatMap(({ others }) => others)
  return STILL_HELD.find(([reason]) => reasons.includes(reason))?.[1]
}

/** The state of a payment, amounts in minor units. */
export interface Refundable {
  readonly left: number
  /** Of the one card that it is for, of an order of many; missing where it is for all of them. */
  readonly leftOfCard?: number
  readonly currency: Currency
  readonly isDisputed: boolean
  readonly isWithdrawn: boolean
}

/** May so much of a payment be given back? @returns why not */
export function refundRefusal(asked: RefundAsked, now: Refundable): ActRefusal | undefined {
  if (now.isDisputed) return 'disputed'
  if (now.isWithdrawn) return 'withdrawal-under-way'
  if (asked.currency !== now.currency) return 'currency'
  if (asked.left !== now.left) return 'changed'
  // What a card cannot take would go off others, which somebody may be using meanwhile.
  const most = Math.min(now.left, now.leftOfCard ?? now.left)
  return Number.isSafeInteger(asked.amount) && asked.amount > 0 && asked.amount <= most ? undefined : 'amount'
}
