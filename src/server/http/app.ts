import type { Analytics } from '#server/modules/analytics/analytics.ts'
import type { Cms, Content, Preview } from '#server/modules/content/interface.ts'
import type { Desk } from '#server/modules/desk/desk.ts'
import type { DutyDesk } from '#server/modules/desk/duty-desk.ts'
import type { InvoiceDesk } from '#server/modules/desk/invoice-desk.ts'
import type { PartnerDesk } from '#server/modules/desk/partner-desk.ts'
import type { PayoutDesk } from '#server/modules/desk/payout-desk.ts'
import type { PeopleDesk } from '#server/modules/desk/people-desk.ts'
import type { WishDesk } from '#server/modules/desk/wish-desk.ts'
import type {
  Answers,
  Cards,
  CheckWords,
  FreeCards,
  GiftLinks,
  HeldGifts,
  LostLinks,
  Sendings,
  Volunteering,
  Wishes,
} from '#server/modules/gifts/interface.ts'
import type { Legal } from '#server/modules/legal/legal.ts'
import type { Newsletter } from '#server/modules/letters/newsletter/newsletter.ts'
import type { Operator, Studio } from '#server/modules/operator/interface.ts'
import type { Partners } from '#server/modules/partners/partners.ts'
import type { Certificates } from '#server/modules/payments/certificates/interface.ts'
import type { Payments } from '#server/modules/payments/interface.ts'
import type { Invoices } from '#server/modules/payments/invoices/interface.ts'
import type { ManyOrders } from '#server/modules/payments/many/interface.ts'
import type { Withdrawals } from '#server/modules/payments/withdrawals/interface.ts'
import type { ReceivedPayouts } from '#server/modules/payouts/advices/interface.ts'
import type { NamedFiguresReader } from '#server/modules/public-ledger/named-figures.ts'
import type { OperatorReports } from '#server/modules/reports/interface.ts'
import type { ShownStatus } from '#server/modules/reports/public-status.ts'
import type { PhotoBook, Prints } from '#server/modules/story/interface.ts'
import type { WaitingRoom } from '#server/modules/waiting-room/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { Settings } from '#server/platform/settings.ts'

/**
 * What pages and endpoints may ask of the server. The composition root (`server/app/compose.ts`) makes one
 * and the front hands it to every page and endpoint as `locals.app`; nothing here is a singleton.
 */
export interface App {
  readonly settings: Settings
  /** Now, in epoch milliseconds UTC. */
  readonly clock: Clock
  readonly content: Content
  /** The texts of the law, version by version. */
  readonly legal: Legal
  readonly payments: Payments
  /** Tells partners by their keys. */
  readonly partners: Partners
  readonly cards: Cards
  readonly giftLinks: GiftLinks
  readonly heldGifts: HeldGifts
  readonly answers: Answers
  readonly volunteering: Volunteering
  readonly photoBook: PhotoBook
  readonly freeCards: FreeCards
  readonly prints: Prints
  readonly analytics: Analytics
  readonly lostLinks: LostLinks
  /** Tells whether a gift is real. */
  readonly checkWords: CheckWords
  /** Takes what recipients miss on the list. */
  readonly wishes: Wishes
  /** Has gifts mailed on a day. */
  readonly sendings: Sendings
  readonly withdrawals: Withdrawals
  readonly certificates: Certificates
  readonly invoices: Invoices
  readonly invoiceDesk: InvoiceDesk
  /** The pages of orders of many cards. */
  readonly manyOrders: ManyOrders
  readonly receivedPayouts: ReceivedPayouts
  readonly operatorReports: OperatorReports
  /** What is published of the money. */
  readonly publicFigures: NamedFiguresReader
  /** How the site is. */
  readonly publicStatus: {
    current(): ShownStatus
    /** The same as a table: RFC 4180. */
    csv(): string
  }
  readonly desk: Desk
  readonly payoutDesk: PayoutDesk
  readonly duties: DutyDesk
  readonly peopleDesk: PeopleDesk
  readonly partnerDesk: PartnerDesk
  readonly wishDesk: WishDesk
  readonly newsletter: Newsletter
  readonly limits: RateLimits
  /** Of the payments. */
  readonly waitingRoom: WaitingRoom
  readonly log: Log
  readonly operator: Operator
  readonly studio: Studio
  readonly cms: Cms
  readonly preview: Preview
}
