import type { DonationChoice, SettledDonation, VolunteeringChoice } from '#domain/payment/purchase.ts'
import type { SettledVolunteering } from '#server/modules/gifts/interface.ts'

/** The browser's Idempotency-Key for a press on the payment button; the same key gives the same session. */
interface Press {
  readonly attemptKey?: string | undefined
}

export type StartDonation = DonationChoice & Press

export type StartVolunteering = VolunteeringChoice & Press

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
  /** Quotes from what is published, or was until an hour ago, and opens a Checkout session. Problems: price-not-listed, ngo-not-listed, terms-missing, terms-changed, provider-unavailable. */
  startDonation(input: StartDonation): Promise<{ readonly url: string }>
  /** The same for a volunteering card. Problems: also mission-not-listed. */
  startVolunteering(input: StartVolunteering): Promise<{ readonly url: string }>
  /** Has a press with this key begun an order that is not replaced yet? The same key opens that one again. */
  hasBegun(attemptKey: string): Promise<boolean>
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
