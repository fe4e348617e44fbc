import type { ClaimAddress } from '#domain/campaign/claim-address.ts'
import type { FreeOffers } from '#domain/campaign/offers.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { Money } from '#domain/money/money.ts'
import type { Allocation, Selection } from '#domain/redemption/split.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import type { ThemeId } from '#domain/themes.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import type { Mission } from '#domain/volunteering/mission.ts'
import type { Settings } from '#server/app/settings.ts'
import type { Analytics } from '#server/modules/analytics/analytics.ts'
import type { ContentSnapshot, PerLanguage } from '#server/modules/content/snapshot.ts'
import type { Newsletter } from '#server/modules/letters/newsletter/newsletter.ts'
import type { Owed } from '#server/modules/payouts/owed.ts'
import type { Audience } from '#server/modules/reports/audience.ts'
import type { Summary } from '#server/modules/reports/summary.ts'

/**
 * What pages and endpoints may ask of the server. The composition root (`server/app/compose.ts`) makes one
 * and the front hands it to every page and endpoint as `locals.app`; nothing here is a singleton.
 */
export interface App {
  readonly settings: Settings
  /** Now, in epoch milliseconds UTC. */
  readonly clock: Clock
  readonly content: Content
  readonly payments: Payments
  readonly cards: Cards
  readonly volunteering: Volunteering
  readonly photoBook: PhotoBook
  readonly freeCards: FreeCards
  readonly prints: Prints
  readonly analytics: Analytics
  readonly lostLinks: LostLinks
  readonly desk: OperatorDesk
  readonly newsletter: Newsletter
  readonly limits: RateLimits
  readonly log: Log
  readonly operator: Operator
  readonly studio: Studio
  readonly cms: Cms
  readonly preview: Preview
}

export type Clock = () => number

/**
 * Milliseconds since some moment of this process; never goes back and never steps, whatever becomes of the system's
 * clock. For how long something took or waits within one process; says nothing of the time of day.
 */
export type MonotonicClock = () => number

/** Structured log lines; the implementation masks keys, addresses and session ids. */
export interface Log {
  info(event: string, facts?: Readonly<Record<string, string | number | boolean | null>>): void
  error(
    event: string,
    error: unknown,
    facts?: Readonly<Record<string, string | number | boolean | null>>,
  ): void
}

export interface Content {
  /** The last good published content; never waits and never throws after start. */
  snapshot(): ContentSnapshot
}

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
  /** The browser's Idempotency-Key for this press; the same key gives the same session. */
  readonly attemptKey?: string | undefined
}

export interface StartVolunteering extends Omit<StartDonation, 'ngoAmount'> {
  /** Of the package, minor units. */
  readonly price: number
  readonly mission: Mission
}

/** What whoever paid for a gift, or claimed it, is told of it: enough to tell two gifts apart. */
interface SettledGift {
  readonly cardId: string
  readonly email: string
  /** null when anonymous. */
  readonly senderName: string | null
  readonly isConfirmationEmailSent: boolean
  /** null for a card that was claimed. */
  readonly packageId: string | null
  /** The card's credit, or the price of an invitation: without any support. */
  readonly price: Money
}

export interface SettledVolunteering extends SettledGift {
  /** Opens the card. */
  readonly key: string
}

export interface SettledDonation extends SettledGift {
  readonly privateKey: string
  readonly publicKey: string
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
  /** Quotes from the product's own tables, opens a Checkout session. Problems: price-not-listed, provider-unavailable. */
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

/** What a key shows of its card. */
export interface CardView {
  readonly authority: 'full' | 'preview'
  readonly createdAt: number
  readonly credit: Money
  readonly senderName: string | null
  readonly themeId: ThemeId
  /** The language it was bought in; the try card has none. */
  readonly language?: Language
  /** Always false for a preview: a preview tells nothing of the card's use. */
  readonly consumed: boolean
  readonly free: boolean
  /** Only of a consumed card seen with full authority. */
  readonly use: CardUse | null
}

/**
 * How a card was used up, as its private key tells it. The giver holds that key too, and what a recipient chose is the
 * recipient's own. Where a card went that nobody used in its year, everybody who holds its key may know: the buyer is
 * told by mail as well.
 */
export type CardUse =
  | { readonly by: 'recipient'; readonly at: number }
  | { readonly by: 'auto-donation'; readonly at: number; readonly ngoIds: readonly string[] }

/** The answer to a redemption. */
export interface Redeemed {
  readonly allocations: readonly Allocation[]
  /** Shows the same from now on; told once, and again only to the attempt's own key for ten minutes. */
  readonly receiptKey?: string
}

/** What a receipt key shows of the use of its card. */
export interface Receipt {
  /** Epoch ms UTC. */
  readonly usedAt: number
  readonly credit: Money
  readonly allocations: readonly Allocation[]
}

export interface Cards {
  /** Reads, never writes. Problem card-not-found for every kind of wrong key, and for frozen or revoked cards. */
  open(key: string, asked: 'full' | 'preview'): Promise<CardView>
  /**
   * The only door to allocations. Problems: card-not-found, card-consumed, ngo-not-listed, invalid-fields.
   * @param attemptKey the browser's key of this press; the same one is told the receipt key again
   */
  redeem(key: string, selection: readonly Selection[], attemptKey?: string): Promise<Redeemed>
  /** Reads, never writes. Problem card-not-found for every wrong key. */
  receipt(receiptKey: string): Promise<Receipt>
}

/** What the operator may know and say of the content's way to the site. */
export interface Cms {
  state(): ContentState & {
    /** The new content is there, but pages that show it could not be rendered: the old ones stay. */
    readonly isUnpublished: boolean
  }
  /**
   * The hosted service says that something was published. What it says is not believed, only looked for.
   * Problem invalid-signature unless it can prove who it is.
   */
  receiveNews(rawBody: string, signature: string | null): void
}

/** Times are epoch milliseconds UTC. */
export interface ContentState {
  /** Since when the content that visitors see has been as it is. */
  readonly releasedAt: number
  /** When it was looked for last. */
  readonly checkedAt: number
  /** Why newer content is not shown, if there may be any. */
  readonly fault?: ContentFault
}

export interface ContentFault {
  /** `broken`: it breaks rules that pages need. `unreachable`: the CMS did not answer, or with nonsense. */
  readonly kind: 'broken' | 'unreachable'
  readonly since: number
  /** Field and rule, one by one, for `broken`. */
  readonly says: readonly string[]
}

/** What the operator's pages show: the drafts, or what visitors see, in a page that the Studio can hold. */
export type PreviewLook = 'drafts' | 'published'

/** The operator's look at pages, from the Studio. */
export interface Preview {
  /** @param secret as the Studio wrote it down. @returns the `Set-Cookie`; undefined when it is none of its own */
  enable(secret: string, look: PreviewLook): Promise<string | undefined>
  /** The `Set-Cookie` that ends it. Within the Studio's own frame it goes on, with what visitors see. */
  disable(headers: Headers): string
}

/** Who may edit the content and see what concerns the whole site. */
export interface Operator {
  /** How one becomes the operator: by the token, by using this machine, or not at all. */
  readonly login: 'token' | 'open' | 'closed'
  /**
   * The `Set-Cookie` of a new session; undefined when that is not the token. Problem too-many-requests after too many
   * wrong ones from this address, here or in headers.
   */
  signIn(token: string, address: string): string | undefined
  /** Ends the session in these headers, everywhere. @returns the `Set-Cookie` that takes it away */
  signOut(headers: Headers): Promise<string>
  /**
   * By session or `Authorization: Bearer`. Rejects with Problem too-many-requests as `signIn` does.
   * @param address whose request it is
   */
  isOperator(headers: Headers, address: string): Promise<boolean>
  /** When the session in these headers ends by itself, epoch ms; undefined without one. */
  endOfSession(headers: Headers): number | undefined
}

/** The operator's editor, prepared behind the running site. */
export interface Studio {
  state(): StudioState
}

/** `failed`: the log says why. `off`: the settings, or the sources that are not there. */
export type StudioState = 'off' | 'preparing' | 'ready' | 'failed'

export interface ClaimFree {
  /** A free campaign's tag, in any case. */
  readonly campaignCode: string
  readonly address: ClaimAddress
  readonly currency: Currency
  readonly themeId: ThemeId
  readonly sender: Sender
  readonly language: Language
  /** The browser's Idempotency-Key for this press; the same key gets the same card. */
  readonly attemptKey?: string | undefined
}

/** Cards that a campaign pays for (product.md#free-cards). */
export interface FreeCards {
  /** The private key of a new card. Problems: invalid-campaign, finished-campaign-offer, email-already-used. */
  claim(input: ClaimFree): Promise<{ readonly key: string }>
  /** A claimed card for its claimant. Problems: card-not-found, links-by-mail. */
  retrieve(privateKey: string): Promise<SettledDonation>
  /** What the running campaigns offer, as pages show it; a claim may find less. */
  offers(): FreeOffers
}

export interface Prints {
  /** A PDF of one page, from the private key. Problems: card-not-found (the public key too), card-consumed. */
  sheetOf(key: string): Promise<Uint8Array>
}

/** A mission as a card keeps it: what the operator called it then stays readable when it is gone. */
export type StoredMission =
  | Exclude<Mission, { kind: 'listed' }>
  | { readonly kind: 'listed'; readonly id: string; readonly title: PerLanguage<string> }

/** What a key shows of its volunteering card. */
export interface VolunteeringView {
  readonly createdAt: number
  /** The language it was bought in. */
  readonly language: Language
  /** null when anonymous. */
  readonly senderName: string | null
  readonly themeId: ThemeId
  readonly mission: StoredMission
  /** What was said last; null before the first answer. */
  readonly answer: Answer | null
  /** Has the giver been told of this very answer? */
  readonly isTold: boolean
}

export interface GivenAnswer {
  readonly answer: Answer
  /** The giver shall hear of it by e-mail. */
  readonly tellGiver: boolean
}

export interface Volunteering {
  /** Reads, never writes. Problem card-not-found for every kind of wrong key, and for frozen or revoked cards. */
  open(key: string): Promise<VolunteeringView>
  /** Keeps the recipient's answer, in place of an earlier one. Problems: card-not-found, too-many-requests. */
  answer(key: string, given: GivenAnswer): Promise<VolunteeringView>
}

/** The photo-book that the published pictures make. */
export interface PhotoBook {
  /** How far it is. Starts making it where nobody has. */
  progress(): Promise<BookProgress>
  /** The finished book's file, waiting for it at most so many ms; undefined when it did not get ready. */
  file(language: Language, patienceMs: number): Promise<string | undefined>
}

export interface BookProgress {
  readonly state: 'making' | 'ready' | 'failed'
  /** Photos done, of how many. */
  readonly done: number
  readonly total: number
  /** Photos that could not be had and are not in it; it is made again when they can. */
  readonly missing: number
}

/** A card whose links its buyer may replace. */
export type RenewableCard = RenewableGift | RenewableInvitation

interface Renewable {
  readonly privateKey: string
  /** Epoch ms UTC. */
  readonly createdAt: number
  readonly themeId: ThemeId
}

export interface RenewableGift extends Renewable {
  readonly kind: 'gift'
  readonly publicKey: string
  readonly credit: Money
}

/** A volunteering card: it has one link and holds no credit. */
export interface RenewableInvitation extends Renewable {
  readonly kind: 'invitation'
}

/** What a buyer may do who lost the links of cards, or let them fall into the wrong hands. */
export interface LostLinks {
  /** Mails the links of every unused card of this address to it, at most three times a day. Says nothing of it. */
  request(address: string): Promise<void>
  /** Problem card-not-found for every wrong key, and for cards that are not active. */
  open(cardId: string, key: string): Promise<RenewableCard>
  /** Replaces the links; the answer's key allows it again. Problem card-not-found. */
  renew(cardId: string, key: string): Promise<{ readonly key: string }>
}

/** What the operator's interface reads. */
export interface OperatorDesk {
  summary(): Promise<DeskSummary>
  /** What visitors of the last thirty days allowed us to count. */
  audience(): Promise<Audience>
  /** Every payout as a table; that it was asked for is written down. */
  payoutsCsv(): Promise<string>
}

/** The figures of the business, and what of the content waits for the operator. */
export interface DeskSummary extends Omit<Summary, 'owed'> {
  readonly owed: readonly (Owed & { readonly name: string })[]
  readonly review: { readonly reviewedAt: string; readonly isDue: boolean }
  readonly campaigns: readonly {
    readonly tag: string
    readonly active: boolean
    readonly stock: number
    readonly claimed: number
  }[]
}

export interface RateLimits {
  /**
   * Counts one use, or as many as what is asked for costs; throws Problem too-many-requests (with retryAfterSeconds)
   * when so many are not left of the limit named, and then counts none.
   */
  use(limit: LimitName, who: string, cost?: number): void
  /** Throws as `use` would, and counts nothing. */
  check(limit: LimitName, who: string): void
}

export type LimitName =
  | 'gateway'
  | 'success'
  | 'send-email'
  | 'card-read'
  | 'card-miss'
  | 'redeem'
  | 'print'
  | 'lost-link'
  | 'operator-login'
  | 'operator-call'
  | 'free-claim'
  | 'newsletter'
  | 'analytics-session'
  | 'analytics-event'
