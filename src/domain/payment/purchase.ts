import type { GiftRow } from '../card/gift-rows.ts'
import type { DonorIdentity } from '../donor/identity.ts'
import type { Language } from '../languages.ts'
import type { Currency } from '../money/currency.ts'
import type { Money } from '../money/money.ts'
import type { Sender } from '../sender/sender-name.ts'
import type { ThemeId } from '../themes.ts'
import type { Mission } from '../volunteering/mission.ts'

/** What the buyer accepts with the press on the payment button. */
export interface AcceptedTerms {
  /** The version of the terms that the page links to. */
  readonly termsVersion: string
  /** Has the buyer agreed that the gift is fulfilled when it is used? Asked where the currency's market wants it. */
  readonly fulfilmentConsent: boolean
  /** Who gives, where the market asks for it from such an amount on; else it is not sent. */
  readonly donor?: DonorIdentity | null
  /** Was this buyer given a gift before, as far as the browser knows? It is counted, and kept of nobody. */
  readonly keepsChain?: boolean
}

/** What an order for any kind of gift says. */
interface GiftChoice extends AcceptedTerms {
  readonly packageId: string
  /** The whole support amount, minor units. */
  readonly supportAmount: number
  readonly currency: Currency
  readonly themeId: ThemeId
  readonly sender: Sender
  /** What the giver writes to the recipient, read by sender/message.ts. */
  readonly message?: string | null
  /** The page's language: the order, the provider's page and the mails keep it. */
  readonly language: Language
}

export interface DonationChoice extends GiftChoice {
  /** The organisation that the buyer names for an unused card; chance decides without one. */
  readonly fallbackNgoId?: string | null
  /** What the organisations receive of each card, minor units. */
  readonly ngoAmount: number
  /** How many cards it is of; one when missing. The amounts are those of one. */
  readonly cards?: number
  /** What the giver says of each, by its place; of as many as there are cards, or missing where nothing is said. */
  readonly rows?: readonly GiftRow[]
}

export interface VolunteeringChoice extends GiftChoice {
  /** The package's price, minor units. */
  readonly price: number
  readonly mission: Mission
}

/** What a buyer or claimant is told of any kind of gift. It is enough to tell two gifts apart. */
export interface SettledGift {
  readonly cardId: string
  /** Tells whoever was given it that it is real, as it is printed; null for a gift from before there were words. */
  readonly checkWord: string | null
  /** Has its link mailed to somebody on a day; null for a card that was claimed. */
  readonly sendingKey: string | null
  readonly email: string
  /** null when anonymous. */
  readonly senderName: string | null
  readonly isConfirmationEmailSent: boolean
  /** What was bought: null for a card that was claimed. */
  readonly packageId: string | null
  /** The package's title at the time of the purchase; null for a card that was claimed. */
  readonly packageTitle: Readonly<Record<Language, string>> | null
  /** The card's credit, or the price of an invitation: without any support. */
  readonly price: Money
}

export interface SettledDonation extends SettledGift {
  /** From this instant on an unused card is given away, epoch ms UTC. */
  readonly autoDonateAt: number
  readonly privateKey: string
  readonly publicKey: string
}

/** What the buyer of many cards is told: where they find them. */
export interface SettledMany {
  readonly orderId: string
  /** Opens the order's page. */
  readonly manyKey: string
}
