import type { AnswerState, GiftAnswer } from '#domain/answer/answer.ts'
import type { ClaimAddress } from '#domain/campaign/claim-address.ts'
import type { FreeOffers } from '#domain/campaign/offers.ts'
import type { GiftStanding } from '#domain/card/check-word.ts'
import type { LinkPlace } from '#domain/card/gift-links.ts'
import type { KeyKind } from '#domain/card/keys.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { Money } from '#domain/money/money.ts'
import type { SettledDonation, SettledGift } from '#domain/payment/purchase.ts'
import type { OwnLine } from '#domain/public-ledger/passport.ts'
import type { Allocation, Selection } from '#domain/redemption/split.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Sender } from '#domain/sender/sender-name.ts'
import type { SendingField } from '#domain/sending/plan.ts'
import type { SendingEnd, SendingState, SendingTime } from '#domain/sending/sending.ts'
import type { Theme, ThemeId } from '#domain/themes.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import type { Mission } from '#domain/volunteering/mission.ts'
import type { Wish } from '#domain/wish/wish.ts'
import type { PerLanguage } from '#server/modules/content/snapshot.ts'

export interface SettledVolunteering extends SettledGift {
  /** Opens the card. */
  readonly key: string
  readonly mission: StoredMission
}

/** A card as its key shows it. */
export interface CardView {
  readonly authority: 'full' | 'preview'
  readonly createdAt: number
  /** From this instant on an unused card is given away, epoch ms UTC. */
  readonly autoDonateAt: number
  readonly credit: Money
  readonly senderName: string | null
  /** What its giver writes; null without anything, and of a card that is used or seen in preview. */
  readonly message: GiverMessage | null
  /** As it was when the card was made. */
  readonly theme: Theme
  /** The language it was bought in; the try card has none. */
  readonly language?: Language
  /** Always false for a preview, whose story goes on: only its passport tells of the card’s use. */
  readonly consumed: boolean
  readonly free: boolean
  /** Only of a consumed card seen with full authority. */
  readonly use: CardUse | null
}

/** The giver's own words, and the id by which somebody who minds them names the card to the operator; it opens nothing. */
export interface GiverMessage {
  readonly words: string
  readonly cardId: string
}

/**
 * How a card was used, as its private key shows it. The giver holds that key too, so it does not show the recipient's
 * choice. If nobody used the card in its term, the key shows which organisation got the credit; the buyer learns it
 * by mail as well.
 */
export type CardUse =
  | { readonly by: 'recipient'; readonly at: number }
  | { readonly by: 'auto-donation'; readonly at: number; readonly ngoIds: readonly string[] }
  | LeftToDraw

/** Its recipient left it to the draw: what came out is nobody's choice either. Epoch ms UTC. */
export interface LeftToDraw {
  readonly by: 'draw'
  /** When it was left. */
  readonly at: number
  /** Missing as long as it is not drawn. */
  readonly drawn?: { readonly at: number; readonly ngoIds: readonly string[] } | undefined
  /** From when on it can be drawn; missing where that is not announced. */
  readonly drawAt?: number | undefined
}

/** The answer to a redemption. */
export interface Redeemed {
  readonly allocations: readonly Allocation[]
  /** Shows the same from now on; told once, and again only to the attempt's own key for ten minutes. */
  readonly receiptKey?: string
}

/** The use of a card as its receipt key shows it. */
export interface Receipt {
  /** Epoch ms UTC. */
  readonly usedAt: number
  readonly credit: Money
  readonly allocations: readonly Allocation[]
  /** Can the giver be told of it by mail? */
  readonly answer: AnswerState
}

/** Answers of recipients to their givers (product.md#answers). */
export interface Answers {
  /**
   * Queues the answer to the giver, once. The same answer sent again is a success again. Problems: card-not-found for
   * every wrong key, already-answered, answer-closed.
   */
  give(receiptKey: string, answer: GiftAnswer): Promise<void>
  /** Is the giver written to when the card is used? Problem card-not-found for every wrong key. */
  wantsLetter(cardId: string, lettersKey: string): Promise<boolean>
  /** Says whether they want to be. Problem card-not-found for every wrong key. */
  setLetter(cardId: string, lettersKey: string, wanted: boolean): Promise<void>
}

/** Where the money of a card is, as either of its keys shows it: nothing of what a recipient chose. */
export interface Passport {
  readonly free: boolean
  readonly paid: Station
  /** From this instant on it is given away if nobody used it, epoch ms UTC. */
  readonly until: number
  readonly used?: {
    readonly by: CardUse['by']
    /** `YYYY-MM`, UTC. */
    readonly month: string
    /** Of a card that was drawn for, by its private key. */
    readonly line: OwnLine | undefined
  }
  /** The run of payouts that paid out all of it. */
  readonly run?: { readonly id: string; readonly at: number }
}

export interface Station {
  /** Epoch ms UTC. */
  readonly at: number
  /** Undefined while it is not published, and once its buyer is forgotten. */
  readonly line: OwnLine | undefined
}

/** Where each part of a used card is, as its receipt key shows it. */
export interface GivenPassport {
  /** `YYYY-MM`, UTC. */
  readonly month: string
  readonly line: OwnLine | undefined
  readonly parts: readonly {
    readonly ngoId: string
    readonly amount: Money
    /** The payout that it is in, and when the bank had paid it, epoch ms UTC. */
    readonly payout:
      | { readonly id: string; readonly at: number | null; readonly line: OwnLine | undefined }
      | undefined
  }[]
}

/** A key that a link brought, and the handle under which a browser may hold it. */
export interface TradedKey {
  readonly kind: GiftKind
  readonly keyKind: KeyKind
  readonly key: string
  /** Names the key in addresses: whoever has it alone opens nothing. */
  readonly handle: string
  readonly cardId: string
  readonly version: number
  readonly place: LinkPlace | undefined
}

/** Opens what a gift's link brings (product.md#gift-links). */
export interface GiftLinks {
  /** Reads, never writes. Problem card-not-found for every link that opens nothing. */
  trade(link: string): Promise<TradedKey>
}

/** The keys that a browser holds, by handles. The cookies are those of a request, as its header has them. */
export interface HeldGifts {
  /** undefined where the browser does not hold it, or no longer. Whether it still opens its card is for others to say. */
  keyOf(handle: string, cookies: string | undefined): string | undefined
  /** The `Set-Cookie` lines by which the browser holds this key from now on. Where it holds too many, the oldest goes. */
  keep(traded: TradedKey, cookies: string | undefined): readonly string[]
  /** The `Set-Cookie` that tells later whether this browser takes cookies. */
  readonly probe: string
  takesCookies(cookies: string | undefined): boolean
}

export interface Cards {
  /** Where its money is, by either of its keys. Reads, never writes. Problem card-not-found. */
  passport(key: string, asked: 'full' | 'preview'): Promise<Passport>
  /** Where its parts are, by its receipt key. Reads, never writes. Problem card-not-found for every wrong key. */
  receiptPassport(receiptKey: string): Promise<GivenPassport>
  /** Reads, never writes. Problem card-not-found for every kind of wrong key, and for frozen or revoked cards. */
  open(key: string, asked: 'full' | 'preview'): Promise<CardView>
  /**
   * The only door to allocations. Problems: card-not-found, card-consumed, ngo-not-listed, invalid-fields.
   * @param attemptKey the browser's key of this press; the same one is told the receipt key again
   */
  redeem(key: string, selection: readonly Selection[], attemptKey?: string): Promise<Redeemed>
  /**
   * Leaves the card to the draw, for good; again is a success again. Problems: card-not-found, card-consumed.
   */
  leave(key: string): Promise<void>
  /**
   * Reads, never writes. Problems: card-not-found for every wrong key, receipt-of-another-card.
   * @param cardKey a key of the card that the receipt is brought to, where one is named
   */
  receipt(receiptKey: string, cardKey?: string): Promise<Receipt>
}

/** Organisations that recipients miss on the list (product.md#wishes). */
export interface Wishes {
  /** Keeps the wish of a card that can be given, in place of an earlier one. Problems: card-not-found, card-consumed. */
  keep(key: string, wish: Wish): Promise<void>
}

export interface ClaimFree {
  /** A free campaign's tag, in any case. */
  readonly campaignCode: string
  readonly address: ClaimAddress
  readonly currency: Currency
  /** The first that is offered, where the visitor has chosen none. */
  readonly themeId?: ThemeId | undefined
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
  /** The offers of the running campaigns as pages show them. A claim may find fewer cards left. */
  offers(): FreeOffers
}

/** A mission as a card keeps it: what the operator called it then stays readable when it is gone. */
export type StoredMission =
  | Exclude<Mission, { kind: 'listed' }>
  | { readonly kind: 'listed'; readonly id: string; readonly title: PerLanguage<string> }

/** An invitation as its key shows it. */
export interface VolunteeringView {
  readonly createdAt: number
  /** The language it was bought in. */
  readonly language: Language
  /** null when anonymous. */
  readonly senderName: string | null
  /** What its giver writes; null without anything. */
  readonly message: GiverMessage | null
  /** As it was when the card was made. */
  readonly theme: Theme
  readonly mission: StoredMission
  /** The newest answer; null before the first one. */
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
  /** Notes that the book is being downloaded, by a press on one of our pages: the gift is given then. Problem card-not-found. */
  noteBook(key: string): Promise<void>
  /** Keeps the recipient's answer, in place of an earlier one. Problems: card-not-found, too-many-requests. */
  answer(key: string, given: GivenAnswer): Promise<VolunteeringView>
}

/** A card whose links its buyer may replace. */
export type RenewableCard = RenewableGift | RenewableInvitation

interface Renewable {
  readonly privateKey: string
  /** Epoch ms UTC. */
  readonly createdAt: number
  readonly theme: Theme
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

/** A gift as its check word tells of it: neither whose it is nor how much it holds. */
export interface CheckedGift {
  readonly kind: 'donation' | 'free' | 'volunteering'
  /** Epoch ms UTC. */
  readonly madeAt: number
  readonly standing: GiftStanding
}

/** For whoever was given something and wonders whether it is real (product.md#is-this-real). */
export interface CheckWords {
  /** Problem card-not-found for every word that no gift has. */
  look(written: string): Promise<CheckedGift>
}

/** What becomes of a gift's link that the site mails, as its giver sees it. */
export interface SendingView {
  readonly kind: GiftKind
  readonly theme: Theme
  /** undefined where nothing was asked for yet. */
  readonly state: SendingState | undefined
  /** Why it was stopped, or came back. */
  readonly why: SendingEnd | null
  readonly time: SendingTime | undefined
  /** The gift's last day, in Madrid, `YYYY-MM-DD`; undefined of an invitation, which has none. */
  readonly lastDay: string | undefined
  /** As only whoever knows it recognises it; null once it is forgotten. */
  readonly maskedAddress: string | null
  /** Epoch ms UTC. */
  readonly sentAt: number | null
  readonly changesLeft: number
  /** May the giver say, or say anew, where it goes and when? */
  readonly mayPlan: boolean
  /** The gift's private key, where its link came back to its giver. */
  readonly privateKey: string | undefined
}

/** Gifts whose link the site mails on a day (product.md#send-it-for-me). */
export interface Sendings {
  /** Problem card-not-found for every wrong key, and for a gift that is held or was given back. */
  open(cardId: string, key: string): Promise<SendingView>
  /**
   * Keeps where and when the link goes, in place of what was asked for before. The same again is a success again.
   * Problems: card-not-found, card-consumed, sending-closed, invalid-fields whose rules are `SendingFault`s.
   */
  plan(cardId: string, key: string, typed: Readonly<Record<SendingField, string>>): Promise<void>
  /** The giver sends it themselves. Problems: card-not-found, sending-closed once the mail is on its way. */
  stop(cardId: string, key: string): Promise<void>
  /** Does whoever the mail went to get gifts by mail? Problem card-not-found for every wrong key. */
  wantsGifts(mailbox: string, key: string): Promise<boolean>
  /** Stops them all, for good. Problem card-not-found for every wrong key. */
  refuseGifts(mailbox: string, key: string): Promise<void>
}

/** Help for a buyer who lost the links of cards, or whose links fell into the wrong hands. */
export interface LostLinks {
  /** Mails the links of every unused card of this address to it, at most three times a day. Says nothing of it. */
  request(address: string): Promise<void>
  /** Problem card-not-found for every wrong key, and for cards that are not active. */
  open(cardId: string, key: string): Promise<RenewableCard>
  /** Replaces the links; the answer's key allows it again. Problem card-not-found. */
  renew(cardId: string, key: string): Promise<{ readonly key: string }>
}
