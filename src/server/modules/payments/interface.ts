import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import type { ThemeId } from '#domain/themes.ts'
import type { Mission } from '#domain/volunteering/mission.ts'
import type { SettledDonation, SettledVolunteering } from '#server/modules/gifts/interface.ts'

export interface StartDonation {
  readonly packageId: string
  /** What the organisations receive, minor units. */
  readonly ngoAmount: number
  /** The whole support amount, minor units. */
  readonly supportAmount: number
  readonly currency: Currency
  readonly themeId: ThemeId
  readonly sender: Sender
  readonly language: Language
  /** Of the terms that the buyer accepts with the press. */
  readonly termsVersion: string
  /** Has the buyer agreed that the gift is fulfilled when it is used? Asked where the currency's market wants it. */
  readonly fulfilmentConsent: boolean
  /** The browser's Idempotency-Key for this press; the same key gives the same session. */
  readonly attemptKey?: string | undefined
}

export interface StartVolunteering extends Omit<StartDonation, 'ngoAmount'> {
  /** Of the package, minor units. */
  readonly price: number
  readonly mission: Mission
}

export interface ConfirmationRequest {
  readonly cardId: string
  readonly privateKey: string
  readonly publicKey: string
  /** As the page knows it; the mail goes only to the address of the payment, whatever this says. */
  readonly email: string
}

/** The same for an invitation, which has one key. Its id is told to the buyer only. */
export interface InvitationMailRequest {
  readonly cardId: string
  readonly key: string
}

export interface QueuedConfirmation {
  /**
   * `sent`: it was delivered just now. `failing`: the last try did not get through; the next one was made, or is made
   * at once. `queued`: on its way.
   */
  readonly status: 'sent' | 'queued' | 'failing'
}

export interface Payments {
  /** Quotes from the product's own tables, opens a Checkout session. Problems: price-not-listed, terms-missing, terms-changed, provider-unavailable. */
  startDonation(input: StartDonation): Promise<{ readonly url: string }>
  /** The same for a volunteering card. Problems: also mission-not-listed. */
  startVolunteering(input: StartVolunteering): Promise<{ readonly url: string }>
  /** As `settle`, for the buyer of a volunteering card. */
  settleVolunteering(checkoutSessionId: string): Promise<SettledVolunteering>
  /** The only door from paid to card (idempotent). Problems: payment-not-found, payment-not-completed, links-by-mail, provider-unavailable. */
  settle(checkoutSessionId: string): Promise<SettledDonation>
  /** A provider's event, raw. Problems: invalid-signature. */
  receiveEvent(rawBody: string, signature: string | null): Promise<void>
  /** Queues (or joins) the confirmation mail of a card. Problems: card-not-found, too-many-requests. */
  requestConfirmation(request: ConfirmationRequest): Promise<QueuedConfirmation>
  /** The same for an invitation. */
  requestInvitationMail(request: InvitationMailRequest): Promise<QueuedConfirmation>
}
