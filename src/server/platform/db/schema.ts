import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DeviceClass } from '#domain/analytics/events.ts'
import type { HoldReason } from '#domain/card/holds.ts'
import type { CardStatus } from '#domain/card/states.ts'
import type { ConsentChoice } from '#domain/consent/consent.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { SubscriptionState } from '#domain/newsletter/subscription-states.ts'
import type { OrderState } from '#domain/payment/order-states.ts'
import type { PayoutState } from '#domain/payout/payout-states.ts'
import type { Released } from '#domain/releases.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { ThemeId } from '#domain/themes.ts'
import type { MovementKind } from '#domain/treasury/movement.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import type { WithdrawalAnswer, WithdrawalState } from '#domain/withdrawal/withdrawal.ts'

/**
 * The tables, the same on both engines. Ids are texts made by the application, times are epoch milliseconds
 * UTC, amounts are integers in minor units with their currency beside them, JSON is text. There are no
 * booleans, dates or database-made numbers, so that a row reads alike from SQLite and PostgreSQL.
 */
export interface Schema {
  readonly orders: OrdersTable
  readonly cards: CardsTable
  readonly volunteering_cards: VolunteeringCardsTable
  readonly redemptions: RedemptionsTable
  readonly allocations: AllocationsTable
  readonly gift_answers: GiftAnswersTable
  readonly letter_stops: LetterStopsTable
  readonly card_holds: CardHoldsTable
  readonly book_downloads: BookDownloadsTable
  readonly ledger_entries: LedgerEntriesTable
  readonly reversals: ReversalsTable
  readonly charges: ChargesTable
  readonly provider_movements: ProviderMovementsTable
  readonly provider_payout_parts: ProviderPayoutPartsTable
  readonly withdrawals: WithdrawalsTable
  readonly withdrawal_statements: WithdrawalStatementsTable
  readonly jobs: JobsTable
  readonly ended_sessions: EndedSessionsTable
  readonly free_campaigns: FreeCampaignsTable
  readonly free_claims: FreeClaimsTable
  readonly analytics_salts: AnalyticsSaltsTable
  readonly analytics_sessions: AnalyticsSessionsTable
  readonly analytics_events: AnalyticsEventsTable
  readonly consent_records: ConsentRecordsTable
  readonly poll_answers: PollAnswersTable
  readonly newsletter_subscribers: NewsletterSubscribersTable
  readonly periodic_jobs: PeriodicJobsTable
  readonly draws: DrawsTable
  readonly payouts: PayoutsTable
  readonly payout_allocations: PayoutAllocationsTable
  readonly sightings: SightingsTable
  readonly audit_log: AuditLogTable
  readonly secret_checks: SecretChecksTable
  readonly checkpoints: CheckpointsTable
  readonly legal_texts: LegalTextsTable
  readonly legal_releases: LegalReleasesTable
  readonly theme_releases: ThemeReleasesTable
  readonly link_looks: LinkLooksTable
}

/** One attempt to buy. A card comes of it only once it is paid. */
export interface OrdersTable {
  id: string
  kind: GiftKind
  /** Written by server/modules/payments/move-orders.ts alone, hence no type for an update. */
  status: ColumnType<OrderState, OrderState, never>
  package_id: string
  theme_id: ThemeId
  /** null when anonymous. */
  sender_name: string | null
  language: Language
  currency: Currency
  /** What the organisations receive; the price of a volunteering package. */
  ngo_amount: number
  /** Tax included. */
  support_amount: number
  /** The tax share of the support amount. */
  tax_amount: number
  total_amount: number
  attempt_key_digest: string | null
  /** Keyed: it is of the sender's name, too. */
  request_digest: string
  /**
   * The id of the Checkout session, encrypted, while the order is open: whoever knows it can ask for the card's keys
   * once it is paid. (Two columns that held it in clear before are empty for ever.)
   */
  checkout_session_sealed: string | null
  /** Keyed. By it a session is recognised, from its opening on. */
  checkout_session_digest: string | null
  expires_at: number
  created_at: number
  settled_at: number | null
  /** Of a volunteering order: what it invites to, as JSON (`StoredMission`). */
  mission: string | null
  /** Of a paid order, made with the server's secret (server/modules/ledger/seals.ts). */
  seal: string | null
  /** Of the terms that the buyer accepted. */
  terms_version: string
  /** The sentence by which the buyer agreed that the gift is fulfilled when it is used; null where nobody is asked. */
  fulfilment_consent: string | null
  /** For how long the card waits to be used, as the buyer was told; null before it could be anything but a year. */
  term_months: number | null
  /** When its buyer is to be reminded, as JSON: days before the last one. Null as above. */
  reminder_days: string | null
  /** The organisation that an unused card goes to, where the buyer named one. */
  fallback_ngo_id: string | null
  /** Of the offer that it was bought from, with every price and text of it as they were published. */
  offer_version: string
}

/** A text of the law as it was in force (product.md#texts-of-the-law), or an offer (product.md#packages). Only ever added to. */
export interface LegalTextsTable {
  version: string
  page: Released
  /** JSON (server/modules/legal/text-in-force.ts, server/modules/offers/offers.ts). */
  content: string
}

/** From when on which version was in force, or on offer. Only ever added to. */
export interface LegalReleasesTable {
  page: Released
  since: number
  version: string
}

/** How a theme looked from when on, and whether it could be bought with (product.md#themes). Only ever added to. */
export interface ThemeReleasesTable {
  theme_id: ThemeId
  since: number
  state: 'published' | 'withdrawn'
  /** JSON (server/modules/content/theme-releases.ts); of one that was withdrawn, as it was last. */
  look: string
}

/** When a link of an organisation was looked at, and since when it fails. */
export interface LinkLooksTable {
  link: string
  looked_at: number
  /** null while it answers. */
  failing_since: number | null
  /** How many looks in a row found nothing. */
  failed: number
  /** Why, in a word or two; null while it answers. */
  reason: string | null
}

/** A gift card. It holds digests of its two keys, never a key. */
export interface CardsTable {
  id: string
  order_id: string | null
  kind: 'donation' | 'free'
  status: CardStatus
  theme_id: ThemeId
  sender_name: string | null
  language: Language
  currency: Currency
  credit: number
  email: string | null
  key_version: number
  private_digest: string
  public_digest: string
  created_at: number
  /** From this instant on the yearly job may give the credit away. */
  auto_donate_at: number
  /** When its buyer is to be reminded next; null when no reminder is left. */
  remind_at: number | null
  /** How many reminders went out. */
  reminders_sent: Generated<number>
  /** What `auto_donate_at` was worked out with; null before it could be anything but a year. */
  term_months: number | null
  /** JSON: how many days before its last one the buyer is reminded. Null as above. */
  reminder_days: string | null
  /** Made with the server's secret (server/modules/ledger/seals.ts); null in rows from before there were seals. */
  seal: string | null
}

/** A volunteering card. It holds no credit, so nothing of it can be redeemed or given away. */
export interface VolunteeringCardsTable {
  id: string
  order_id: string
  status: Exclude<CardStatus, 'consumed'>
  theme_id: ThemeId
  /** null when anonymous. */
  sender_name: string | null
  language: Language
  /** JSON (`StoredMission`). */
  mission: string
  email: string | null
  key_version: number
  key_digest: string
  created_at: number
  /** What the recipient says to it now; null before the first answer. */
  answer: Answer | null
  answered_at: number | null
  /** How often the answer changed. */
  answers: number
  /** The answer that the giver was last told of. */
  told_answer: Answer | null
  /** Made with the server's secret (server/modules/ledger/seals.ts); null in rows from before there were seals. */
  seal: string | null
}

export type VolunteeringCard = Selectable<VolunteeringCardsTable>

export type RedemptionCause = 'recipient' | 'auto-donation'

/** That a card was used up. The primary key is what makes a second time impossible on every engine. */
export interface RedemptionsTable {
  card_id: string
  cause: RedemptionCause
  /** SHA-256 of the canonical selection: the same request sent again is answered the same. */
  request_digest: string
  /** SHA-256 of the attempt's Idempotency-Key; null where it brought none. */
  attempt_digest: string | null
  /** SHA-256 of the receipt key; null of the yearly gift, and of uses from before there were receipts. */
  receipt_digest: string | null
  /** What the receipt key is made of again, together with the server's secret. */
  receipt_nonce: string | null
  created_at: number
  /** Covers the allocations as well. */
  seal: string | null
}

/** What one organisation got of one card. */
export interface AllocationsTable {
  card_id: string
  ngo_id: string
  /** 0 for the first chosen organisation: answers repeat in the order of the choice. */
  position: number
  points: number
  amount: number
  currency: Currency
}

/** What the recipient of a card has its giver told. The primary key is what makes a second answer impossible. */
export interface GiftAnswersTable {
  card_id: string
  /** Keyed: it is of the recipient's words, too. The same answer sent again is answered the same. */
  request_digest: string
  /** Does the letter name the organisations? */
  names: 'said' | 'kept'
  /** A line of the recipient's own; null without one, and once it was blocked or forgotten. */
  words: string | null
  /** The letter that it goes in: the one that says that the card was used, or one behind it. */
  letter: 'first' | 'second'
  created_at: number
}

/** That no letter about the use of a card is to go out (`giver`), or no answer in one (`operator`). */
export interface LetterStopsTable {
  /** Of a card of any kind. */
  card_id: string
  stopped_by: 'giver' | 'operator'
  created_at: number
}

/** Why a card, of any kind, may not be used for now (domain/card/holds.ts). */
export interface CardHoldsTable {
  card_id: string
  reason: HoldReason
  created_at: number
}

/** That the book of an invitation was downloaded, and when first. */
export interface BookDownloadsTable {
  card_id: string
  created_at: number
}

/** Which charge at the payment provider paid an order: what a refund is asked of. */
export interface ChargesTable {
  order_id: string
  charge_id: string
}

/**
 * One movement of the balance that the payment provider keeps for us: its balance transaction. Never changed, never
 * deleted. What the books say of it follows from this row (server/modules/ledger/movements.ts).
 */
export interface ProviderMovementsTable {
  /** The provider's id: by it a movement is booked once. */
  id: string
  kind: MovementKind
  /** The provider's own word. */
  type: string
  /** Of the balance. */
  currency: Currency
  /** Positive where it comes in. */
  amount: number
  fee: number
  /** amount − fee */
  net: number
  /** What the buyer paid or got back; the same as the amount where nothing was converted. */
  charged_currency: Currency
  charged_amount: number
  /** The provider's rate, as it wrote it; null where nothing was converted. */
  exchange_rate: string | null
  /** JSON: what the fee is made of, `[{ type, amount, description }]`. */
  fee_details: string
  /** The charge, refund, dispute or payout that it is of. */
  source_id: string | null
  charge_id: string | null
  /** null where it is of no order of ours. */
  order_id: string | null
  /** What the support bears of the order's fees more than before. */
  borne: number
  /** The provider's time. */
  created_at: number
  available_at: number
  /** When we read it. */
  read_at: number
  /** Made with the server's secret (server/modules/ledger/seals.ts). */
  seal: string
}

/** Which movements a payout of the provider is made of. Only ever added to. */
export interface ProviderPayoutPartsTable {
  /** The primary key is what keeps a movement from being in two payouts. */
  movement_id: string
  /** The payout's own movement. */
  payout_movement_id: string
  read_at: number
}

/** That a buyer has withdrawn from an order. The primary key is what makes a second one impossible on every engine. */
export interface WithdrawalsTable {
  order_id: string
  state: WithdrawalState
  answer: WithdrawalAnswer
  /** What goes back, minor units of the order's currency. */
  amount: number
  /** 1, 2, …: which refund it is that is asked for. */
  attempt: number
  /** When it was stated; what is in time follows from it. */
  stated_at: number
  /** When it was confirmed by the link of a mail; the same where it was stated there. */
  confirmed_at: number
  /** When its state was last looked at or changed. */
  changed_at: number
  /** As the buyer wrote them; null once they are forgotten. */
  name: string | null
  email: string | null
  /** Made with the server's secret (server/modules/ledger/seals.ts). */
  seal: string | null
}

/** That somebody, who has not shown that they are the buyer, has withdrawn. Deleted when it no longer counts. */
export interface WithdrawalStatementsTable {
  id: string
  /** Stands for the address (`keys.pseudonym`). */
  address: string
  /** What was written as the order, where it can be one's id. */
  order_id: string | null
  name: string
  email: string
  language: Language
  created_at: number
}

/** One line of the books. Never changed, never deleted (a trigger refuses both). */
export interface LedgerEntriesTable {
  /** `{set_id}/{account}`: booking the same thing twice breaks the primary key. */
  id: string
  set_id: string
  account: string
  currency: Currency
  /** Signed. Each set sums to zero per currency. */
  amount: number
  card_id: string | null
  order_id: string | null
  cause: string
  created_at: number
}

/** What went back to the buyer of an order, as the provider said it last. The books' reversals follow from it. */
export interface ReversalsTable {
  order_id: string
  /** Given back, or on its way back, minor units. */
  refunded: number
  /** Taken back by lost disputes. */
  lost: number
  /** What lost disputes took off the card's credit (off the price of an invitation). */
  taken: number
  updated_at: number
  seal: string | null
}

/** Work to be done later, written in the transaction that made it necessary. */
export interface JobsTable {
  id: string
  kind: string
  /** JSON. Holds ids, never keys, links or addresses. */
  payload: string
  dedupe_key: string
  /** What the work is about (a card id, say), for counting; null when there is nothing to count. */
  subject: string | null
  run_at: number
  lease_until: number | null
  attempts: number
  done_at: number | null
  /** Why the last attempt failed; together with done_at: given up. */
  failed_reason: string | null
  created_at: number
}

/** A session of the operator that was ended before its time. Rows go when the session would have ended anyway. */
export interface EndedSessionsTable {
  id: string
  expires_at: number
}

/** How many cards a free campaign has given. The row is what claimants take turns at. */
export interface FreeCampaignsTable {
  tag: string
  claimed: number
}

/** That a mailbox has had its free card. The primary key is what makes a second one impossible on every engine. */
export interface FreeClaimsTable {
  /** Keyed digest of the folded address (domain/campaign/claim-address.ts): who claimed cannot be guessed from it. */
  address_digest: string
  tag: string
  card_id: string
  /** Keyed, of the browser's key of that press and of the card: the same press again gets the same card, and no other. */
  attempt_key_digest: string | null
  created_at: number
}

/** The salt of a day, which makes one visitor's visits of that day one number. Yesterday's is deleted. */
export interface AnalyticsSaltsTable {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  salt: string
}

export interface AnalyticsSessionsTable {
  /** Anonymous: a digest under the day's salt, which nobody can make again the day after. */
  id: string
  /** What the browser keeps after "accept all"; null for the anonymous, and after opting out. */
  user_id: string | null
  level: 'anonymous' | 'pseudo-anonymous'
  device_class: DeviceClass
  language: Language
  campaign: string | null
  timezone_offset: number | null
  /** JSON. */
  device: string | null
  created_at: number
}

export interface AnalyticsEventsTable {
  id: string
  /** null after opting out. */
  session_id: string | null
  name: string
  /** Never an address: see domain/analytics/route.ts. */
  route: string
  language: Language
  /** JSON, masked. */
  metadata: string
  created_at: number
}

/** That somebody, nobody knows who, answered the consent question. */
export interface ConsentRecordsTable {
  /** Chance alone. */
  id: string
  choice: ConsentChoice
  version: number
  /** SHA-256 of the words that were asked. */
  text_hash: string
  language: Language
  /** To the minute. */
  created_at: number
}

/** One answer to one question of a poll, with nothing that ties it to anything else. */
export interface PollAnswersTable {
  /** Chance alone. */
  id: string
  poll: string
  question: string
  value: string
  language: Language
  /** The beginning of its day, UTC. */
  day: number
}

/** Work that comes again and again, done by one process at a time. */
export interface PeriodicJobsTable {
  name: string
  next_run_at: number
  /** Until then nobody else takes the job. */
  lease_until: number | null
  /** Who has it: a word of chance, made for each run. */
  holder: string | null
  started_at: number | null
  finished_at: number | null
  outcome: JobOutcome | null
  /** JSON: counts, or the reason; never a key or an address. */
  result: string | null
}

export type JobOutcome = 'done' | 'failed' | 'refused'

/** How the organisation of a card that nobody used was chosen. Never changed, never deleted. */
export interface DrawsTable {
  card_id: string
  /** JSON: the ids of the list, in its order. */
  candidates: string
  /** A place in the list, 0 is the first. */
  drawn: number
  ngo_id: string
  /** By the draw, or by the buyer, who named it with the purchase; null, the draw, before buyers could. */
  chosen_by: 'chance' | 'buyer' | null
  created_at: number
}

/** Money on its way to one organisation. */
export interface PayoutsTable {
  id: string
  ngo_id: string
  currency: Currency
  /** The sum of its allocations. */
  amount: number
  status: PayoutState
  /** The bank's, once paid. */
  reference: string | null
  created_at: number
  paid_at: number | null
}

/** Which allocations a payout is made of. The primary key is what keeps one from being paid out twice. */
export interface PayoutAllocationsTable {
  card_id: string
  ngo_id: string
  payout_id: string
}

/** When something that should keep happening was last seen. */
export interface SightingsTable {
  name: string
  at: number
}

/** What operators did. Never changed, never deleted. */
export interface AuditLogTable {
  id: string
  /** `interface` or `terminal`. */
  actor: string
  action: string
  /** An id; never an address or a key. */
  subject: string | null
  outcome: string
  created_at: number
}

/** How many rows there were of what never gets fewer, once a day. Never changed, never deleted. */
export interface CheckpointsTable {
  /** 1, 2, 3 … */
  number: number
  /** What is counted was written until then. */
  at: number
  /** JSON (`Counts` in server/modules/integrity/checkpoints.ts). */
  counts: string
  /** Over this row and the seal of the one before. */
  seal: string
}

/** By what a start knows that it has the same secret as the one before. */
export interface SecretChecksTable {
  name: string
  /** Of a text derived from the secret, which opens nothing. */
  digest: string
  created_at: number
}

export interface NewsletterSubscribersTable {
  id: string
  /** Keyed digest of the folded address: one subscription per mailbox. */
  address_digest: string
  status: SubscriptionState
  /** null, like name and phone, for who has left. */
  email: string | null
  name: string | null
  /** E.164. */
  phone: string | null
  language: Language
  /** Which words were agreed to. */
  text_version: number
  asked_at: number
  /** When news by WhatsApp were agreed to, apart from the mails. */
  whatsapp_at: number | null
  confirmed_at: number | null
  unsubscribed_at: number | null
}
