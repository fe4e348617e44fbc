import type { InvoiceTo } from '#domain/invoice/invoice.ts'
import type { Money } from '#domain/money/money.ts'
import type {
  DonationChoice,
  SettledDonation,
  SettledMany,
  VolunteeringChoice,
} from '#domain/payment/purchase.ts'
import type { Allocation, Selection } from '#domain/redemption/split.ts'
import type { SettledVolunteering } from '#server/modules/gifts/interface.ts'
import type { OfPartner, PartnerOrder } from '#server/modules/payments/partner-orders.ts'

/** The browser's Idempotency-Key for a press on the payment button; the same key gives the same session. */
interface Press {
  readonly attemptKey?: string | undefined
  /**
   * The key names the purchase alone: where something else was said beside it before and nobody has paid, this press takes
   * the place of that one, whose session is closed.
   */
  readonly replacesUnpaid?: boolean | undefined
}

export type StartDonation = DonationChoice & Press

/** Many cards that are paid by bank transfer. */
export type StartInvoice = StartDonation & { readonly invoice: InvoiceTo }

/** Own money, which goes to whom its payer says as soon as it is paid. */
export type StartOwnMoney = Omit<DonationChoice, 'cards' | 'rows' | 'sender' | 'message' | 'fallbackNgoId'> &
  Press & {
    /** In the order in which the payer saw them: the parts of each organisation as its points. */
    readonly parts: readonly Selection[]
  }

/** What became of own money, for its payer. */
export type SettledOwnMoney =
  /** What each organisation got; undefined later than a day after the payment. */
  | {
      readonly kind: 'given'
      readonly amount: Money
      readonly allocations: readonly Allocation[] | undefined
    }
  /** The list had lost an organisation: the payer divides the money anew, by a link that comes by mail. */
  | { readonly kind: 'to-divide'; readonly amount: Money; readonly maskedAddress: string | null }

export type StartVolunteering = VolunteeringChoice & Press

export type StartPartnerOrder = Omit<DonationChoice, 'cards' | 'rows'> & {
  readonly partner: OfPartner
  readonly idempotencyKey: string
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
  /** Quotes from what is published, or was until an hour ago, and opens a Checkout session. Problems: price-not-listed, ngo-not-listed, terms-missing, terms-changed, provider-unavailable. */
  startDonation(input: StartDonation): Promise<{ readonly url: string }>
  /** The same for a volunteering card. Problems: also mission-not-listed. */
  startVolunteering(input: StartVolunteering): Promise<{ readonly url: string }>
  /** The same for own money. Problems: also ngo-not-listed, invalid-fields for parts that divide nothing. */
  startOwnMoney(input: StartOwnMoney): Promise<{ readonly url: string }>
  /** Many cards by invoice: the order and the key of its page. Problems: as `startDonation`, without those of the provider. */
  startInvoice(input: StartInvoice): Promise<{ readonly orderId: string; readonly key: string }>
  /** The same for a partner's program; the same key gives the same order for ever. */
  startPartnerOrder(input: StartPartnerOrder): Promise<PartnerOrder & { readonly url: string | null }>
  /** An order of this partner. Problems: payment-not-found. */
  readPartnerOrder(partnerId: string, orderId: string): Promise<PartnerOrder>
  /** Has a press with this key begun an order that is not replaced yet? The same key opens that one again. */
  hasBegun(attemptKey: string): Promise<boolean>
  /** As `settle`, for the buyer of a volunteering card. */
  settleVolunteering(checkoutSessionId: string): Promise<SettledVolunteering>
  /** The only door from paid to card (idempotent). Problems: payment-not-found, payment-not-completed, links-by-mail, provider-unavailable. */
  settle(checkoutSessionId: string): Promise<SettledDonation>
  /** As `settle`, for whatever was bought as gift cards, one or many. */
  settlePurchase(checkoutSessionId: string): Promise<SettledDonation | SettledMany>
  /** As `settle`, for the payer of own money, who is shown no key. */
  settleOwnMoney(checkoutSessionId: string): Promise<SettledOwnMoney>
  /** A provider's event, raw. Problems: invalid-signature. */
  receiveEvent(rawBody: string, signature: string | null): Promise<void>
  /** Queues (or joins) the confirmation mail of a card. Problems: card-not-found, too-many-requests. */
  requestConfirmation(request: ConfirmationRequest): Promise<QueuedConfirmation>
  /** The same for an invitation. */
  requestInvitationMail(request: InvitationMailRequest): Promise<QueuedConfirmation>
}
