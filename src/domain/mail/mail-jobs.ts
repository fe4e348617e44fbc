import type { Reminder } from '../card/reminders.ts'
import type { GiftKind } from '../sender/gift-kinds.ts'
import type { Answer } from '../volunteering/answer.ts'

/** What the job of a mail about one card holds. */
export interface AboutCard {
  readonly cardId: string
}

/**
 * Every kind of mail, with what its job in the outbox holds: ids alone. Keys are derived, and addresses looked up, when
 * the mail is sent. A kind that is added here needs a handler: the compiler asks for it.
 */
export interface MailJobs {
  /** To the buyer or the claimant of a card: its links, and what was paid. */
  readonly confirmation: AboutCard
  /** The same mail for an invitation. */
  readonly 'volunteering-confirmation': AboutCard
  /** What the person invited has answered, to the giver. */
  readonly 'volunteering-answer': AboutCard & { readonly answer: Answer }
  /** The card has been used, to its giver: with what the recipient has them told, if that came first. */
  readonly 'gift-used': AboutCard
  /** The recipient's answer, to a giver who has already had the letter about the use. */
  readonly 'gift-answer': AboutCard
  /**
   * Nobody has used the card. The job says which reminder it is, and of how many days before the end, unless an earlier
   * version of the product queued it.
   */
  readonly reminder: AboutCard & { readonly which?: Reminder; readonly days?: number }
  /** Nobody has used the card in its year: to whom its credit went. */
  readonly 'auto-donated': AboutCard
  /** To the recipient: the gift's link, on the day that its giver chose, or once more a month later. */
  readonly sending: AboutCard & { readonly gift: GiftKind; readonly which: 'first' | 'reminder' }
  /** To the giver: the mail with their gift's link reached nobody, so it is theirs to give again. */
  readonly 'sending-returned': AboutCard & { readonly gift: GiftKind }
  /** To the giver: the gift was held on its day, and was not mailed. */
  readonly 'sending-held': AboutCard & { readonly gift: GiftKind }
  /** The links of every unused card of an address: one of each kind of gift, by which its others are found, or null. */
  readonly 'lost-links': { readonly cardId: string | null; readonly invitationId: string | null }
  /** An invoice was made: what to transfer, and the page where it is. */
  readonly invoice: { readonly orderId: string }
  /** A withdrawal was confirmed: what was stated and when, and what goes back. */
  readonly withdrawal: {
    readonly orderId: string
    /** Which one of its order it is, from 2 on; missing for the first. */
    readonly number?: number
  }
  /** Somebody has stated a withdrawal with this address: the links to confirm it by. */
  readonly 'withdrawal-links': { readonly statementId: string }
  /** Asks whether it was really its reader who wants the newsletter. */
  readonly 'newsletter-confirm': { readonly subscriberId: string }
  /** To the contact that an organisation has now: another account was proposed for it. */
  readonly 'payee-change': { readonly accountId: string }
  /** To an organisation: one of its payouts was paid, with the link by which it confirms that. */
  readonly 'payout-advice': { readonly adviceId: string }
  /** To the operator, or to somebody at the desk: something needs a person. */
  readonly alarm: {
    readonly kind: string
    readonly facts: Readonly<Record<string, string | number | boolean | null>>
    /** Epoch ms UTC. */
    readonly at: number
    /** The person at the desk whom it goes to; missing for the operator's own. */
    readonly person?: string
  }
}

export type MailKind = keyof MailJobs
