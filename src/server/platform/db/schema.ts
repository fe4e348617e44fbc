import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DeviceClass } from '#domain/analytics/events.ts'
import type { HoldReason } from '#domain/card/holds.ts'
import type { CardStatus } from '#domain/card/states.ts'
import type { ConsentChoice } from '#domain/consent/consent.ts'
import type { Role } from '#domain/desk/roles.ts'
import type { InvoiceState } from '#domain/invoice/invoice.ts'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { SubscriptionState } from '#domain/newsletter/subscription-states.ts'
import type { DisputeState } from '#domain/payment/dispute-states.ts'
import type { OrderState } from '#domain/payment/order-states.ts'
import type { ReceiptSeries } from '#domain/payment/receipts.ts'
import type { ReceiptKind } from '#domain/payout/advice.ts'
import type { PayeeState, SecondChannel } from '#domain/payout/payee-accounts.ts'
import type { PayoutState } from '#domain/payout/payout-states.ts'
import type { Cause } from '#domain/public-ledger/leaf.ts'
import type { Released } from '#domain/releases.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { SendingEnd, SendingState } from '#domain/sending/sending.ts'
import type { StatusPart } from '#domain/status.ts'
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
  readonly gift_messages: GiftMessagesTable
  readonly wishes: WishesTable
  readonly batch_rows: BatchRowsTable
  readonly letter_stops: LetterStopsTable
  readonly sendings: SendingsTable
  readonly sending_stops: SendingStopsTable
  readonly card_holds: CardHoldsTable
  readonly book_downloads: BookDownloadsTable
  readonly ledger_entries: LedgerEntriesTable
  readonly reversals: ReversalsTable
  readonly card_reversals: CardReversalsTable
  readonly refund_calls: RefundCallsTable
  readonly many_pages: ManyPagesTable
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
  readonly paces: PacesTable
  readonly waiting_rooms: WaitingRoomsTable
  readonly draws: DrawsTable
  readonly draw_announcements: DrawAnnouncementsTable
  readonly draw_cards: DrawCardsTable
  readonly payee_accounts: PayeeAccountsTable
  readonly payout_runs: PayoutRunsTable
  readonly payouts: PayoutsTable
  readonly payout_allocations: PayoutAllocationsTable
  readonly payout_advices: PayoutAdvicesTable
  readonly disputes: DisputesTable
  readonly sightings: SightingsTable
  readonly audit_log: AuditLogTable
  readonly people: PeopleTable
  readonly passkeys: PasskeysTable
  readonly partners: PartnersTable
  readonly sandbox: SandboxTable
  readonly partner_orders: PartnerOrdersTable
  readonly used_challenges: UsedChallengesTable
  readonly secret_checks: SecretChecksTable
  readonly checkpoints: CheckpointsTable
  readonly legal_texts: LegalTextsTable
  readonly legal_releases: LegalReleasesTable
  readonly theme_releases: ThemeReleasesTable
  readonly link_looks: LinkLooksTable
  readonly donor_identities: DonorIdentitiesTable
  readonly public_entries: PublicEntriesTable
  readonly ledger_leaves: LedgerLeavesTable
  readonly ledger_leaf_entries: LedgerLeafEntriesTable
  readonly ledger_heads: LedgerHeadsTable
  readonly ledger_nonces: LedgerNoncesTable
  readonly ledger_cosignatures: LedgerCosignaturesTable
  readonly ledger_forks: LedgerForksTable
  readonly certificate_years: CertificateYearsTable
  readonly certificates: CertificatesTable
  readonly invoice_years: InvoiceYearsTable
  readonly invoices: InvoicesTable
  readonly bank_refunds: BankRefundsTable
  readonly receipt_series: ReceiptSeriesTable
  readonly receipt_numbers: ReceiptNumbersTable
  readonly chain_days: ChainDaysTable
  readonly disturbances: DisturbancesTable
}

/** One attempt to buy. It gets a card only when it is paid. */
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
  /** The keyed digest by which a session is recognised from its opening on. */
  checkout_session_digest: string | null
  expires_at: number
  created_at: number
  settled_at: number | null
  /** The mission of a volunteering order, as JSON (`StoredMission`). */
  mission: string | null
  /** The seal of a paid order, made with the server's secret (server/modules/ledger/seals.ts). */
  seal: string | null
  /** The version of the terms that the buyer accepted. */
  terms_version: string
  /** The sentence by which the buyer agreed that the gift is fulfilled when it is used; null where nobody is asked. */
  fulfilment_consent: string | null
  /** For how long the card waits to be used, as the buyer was told; null before it could be anything but a year. */
  term_months: number | null
  /** When its buyer is to be reminded, as JSON: days before the last one. Null as above. */
  reminder_days: string | null
  /** The organisation that an unused card goes to, where the buyer named one. */
  fallback_ngo_id: string | null
  /** The version of the offer that it was bought from, which holds every price and text as published. */
  offer_version: string
  /** Value added tax within the support, and its rate in hundredths of a percent; null before they were kept. */
  vat_rate: number | null
  vat_amount: number | null
  /** 1 where the buyer's browser says that they were given a gift before; null for every order that is over. */
  keeps_chain: ColumnType<1 | null, 1 | null | undefined, 1 | null>
  /** How many cards it is of: 1 to 500. The amounts are those of all of them, and each card has an equal part. Never changed. */
  card_count: ColumnType<number, number | undefined, never>
  /**
   * To whom own money goes, as its payer saw it: encrypted and bound to the order under the server's secret, so that nobody
   * who writes to the database chooses for them. Null for every gift to somebody. Never changed.
   */
  split_sealed: ColumnType<string | null, string | null | undefined, never>
}

/** How many gifts were paid on a day by somebody who had been given one. It says nothing of any order. */
export interface ChainDaysTable {
  /** `YYYY-MM-DD`, UTC. */
  day: string
  cards: number
}

/** When a part of the site did not work (domain/status.ts). Kept as long as it is shown. */
export interface DisturbancesTable {
  part: StatusPart
  since: number
  /** null while it lasts. */
  until: number | null
}

/** Who gave, where the law of a market asks for it (product.md#markets). Kept for ten years, whoever is forgotten. */
export interface DonorIdentitiesTable {
  order_id: string
  name: string
  /** The number of an identity document. */
  document: string
  created_at: number
}

/** The last number of a year that a certificate has: the next one locks it. */
export interface CertificateYearsTable {
  year: number
  last: number
}

/** The last number of a series in a year. */
export interface ReceiptSeriesTable {
  series: ReceiptSeries
  /** In Madrid. */
  year: number
  last: number
}

/** The number of a receipt: of an order that was paid, or of what went back of one. Never changed, never deleted. */
export interface ReceiptNumbersTable {
  series: ReceiptSeries
  year: number
  number: number
  /** Of its order, behind the number; '' for what was numbered before numbers had them. */
  letters: string
  order_id: string
  /** Minor units of the order's currency; of a refund that came back itself less than 0. */
  amount: number
  drawn_at: number
}

/** A certificate for the tax office (product.md#certificates). Its holder is taken off after ten years. */
export interface CertificatesTable {
  order_id: string
  /** In which its number counts, in Madrid. */
  year: number
  number: number
  /** Of its order, behind the number; '' for what was numbered before numbers had them. */
  letters: string
  name: string
  /** The number of an identity document. */
  document: string
  address: string
  /** What it was made out for, minor units of the order's currency. */
  amount: number
  made_at: number
}

/** The last number of the invoices of a year. */
export interface InvoiceYearsTable {
  year: number
  last: number
}

/** An invoice for an order of many cards (product.md#many-cards). Whom it names is taken off after ten years. */
export interface InvoicesTable {
  order_id: string
  /** In which its number counts, in Madrid. */
  year: number
  number: number
  state: InvoiceState
  currency: Currency
  /** What it is of, minor units: the order's total when it was made. */
  amount: number
  /** The day at the bank, `YYYY-MM-DD`; null until it is paid. */
  paid_on: string | null
  name: string
  /** The number that the tax office knows them by; '' for none. */
  document: string
  address: string
  /** null once it is forgotten. */
  email: string | null
  created_at: number
  changed_at: number
  seal: string
  /** Over what it is for and where its cards go; null for one from before there was such a seal. */
  details_seal: string | null
  /** Of the key that opens it, and of those of its cards when they are made. */
  key_version: number
}

/** Money of an invoice that the operator has transferred back. Only ever added to. */
export interface BankRefundsTable {
  id: string
  order_id: string
  /** Minor units. */
  amount: number
  /** The numbers of the cards that it is for (`3, 5-8`); null where it names none. */
  cards: string | null
  /** The withdrawal that it is for, with the attempt; null for another reason. */
  withdrawal: number | null
  attempt: number | null
  made_at: number
  seal: string
}

/** A text of the law as it was in force (product.md#texts-of-the-law), or an offer (product.md#packages). Only ever added to. */
export interface LegalTextsTable {
  version: string
  page: Released
  /** JSON (server/modules/legal/text-in-force.ts, server/modules/offers/offers.ts). */
  content: string
}

/** Since when a version was in force, or on offer. Rows are only added. */
export interface LegalReleasesTable {
  page: Released
  since: number
  version: string
}

/**
 * How a theme looked since a time, and whether cards could be bought with it (product.md#themes). Rows are only
 * added.
 */
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
  /** How many checks in a row failed. */
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
  /** The keyed digest of the word that is printed with it (server/modules/gifts/check-words.ts); null in rows from before there were words. */
  check_digest: string | null
  created_at: number
  /** From this instant on the yearly job may give the credit away. */
  auto_donate_at: number
  /** When its buyer is to be reminded next; null when no reminder is left. */
  remind_at: number | null
  /** How many reminders were sent. */
  reminders_sent: Generated<number>
  /** The term that `auto_donate_at` was computed with; null in rows from when every term was a year. */
  term_months: number | null
  /** JSON: how many days before its last one the buyer is reminded. Null as above. */
  reminder_days: string | null
  /** Its place among the cards of its order, from 0 on. */
  position: Generated<number>
  /** Made with the server's secret (server/modules/ledger/seals.ts); null in rows from before there were seals. */
  seal: string | null
}

/** A volunteering card. It holds no credit, so nothing of it can be redeemed or given away. */
export interface VolunteeringCardsTable {
  id: string
  order_id: string
  status: Exclude<CardStatus, 'consumed' | 'left'>
  theme_id: ThemeId
  /** null when anonymous. */
  sender_name: string | null
  language: Language
  /** JSON (`StoredMission`). */
  mission: string
  email: string | null
  key_version: number
  key_digest: string
  /** As of a card. */
  check_digest: string | null
  created_at: number
  /** The recipient's newest answer; null before the first one. */
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

/** The one use of a card. The primary key makes a second use impossible on both engines. */
export interface RedemptionsTable {
  card_id: string
  cause: RedemptionCause
  /** SHA-256 of the canonical selection: the same request sent again is answered the same. */
  request_digest: string
  /** SHA-256 of the attempt's Idempotency-Key; null where it brought none. */
  attempt_digest: string | null
  /** SHA-256 of the receipt key; null of the yearly gift, and of uses from before there were receipts. */
  receipt_digest: string | null
  /** The value from which, with the server's secret, the receipt key is derived again. */
  receipt_nonce: string | null
  created_at: number
  /** Covers the allocations as well. */
  seal: string | null
}

/** The amount that one organisation got of one card. */
export interface AllocationsTable {
  card_id: string
  ngo_id: string
  /** 0 for the first chosen organisation: answers repeat in the order of the choice. */
  position: number
  points: number
  amount: number
  currency: Currency
}

/** The answer of a card's recipient to the giver. The primary key makes a second answer impossible. */
export interface GiftAnswersTable {
  card_id: string
  /**
   * A keyed digest, since it covers the recipient's words too. It recognises the same answer when it is sent again.
   */
  request_digest: string
  /** Does the letter name the organisations? */
  names: 'said' | 'kept'
  /** A line of the recipient's own; null without one, and once it was blocked or forgotten. */
  words: string | null
  /** The letter that it goes in: the one that says that the card was used, or one behind it. */
  letter: 'first' | 'second'
  created_at: number
}

/** What the giver of an order writes to whoever gets its gift. Deleted where it is blanked or forgotten. */
export interface GiftMessagesTable {
  order_id: string
  words: string
  created_at: number
}

/** Which organisation the recipient of a card misses: words of a stranger, deleted after a year or with the card's person. */
export interface WishesTable {
  card_id: string
  name: string
  hint: string | null
  /** What the spellings of a name have in common (domain/wish/wish.ts). */
  common_word: string
  changed_at: number
  /** When the operator marked it as looked at; null before, and once it has changed. */
  looked_at: number | null
}

/** What the giver of many cards says of one of them. Deleted with what the order's giver wrote, or with the card's own time. */
export interface BatchRowsTable {
  order_id: string
  /** Of the card in its order, from 0 on. */
  position: number
  /** The recipient's, for paper alone; null where there is none, or where it was printed long enough ago. */
  name: string | null
  /** Null where the order's words hold; empty where an operator has blanked them. */
  words: string | null
  /** When the name first went out on paper; null before. */
  printed_at: number | null
}

/** A stop: no letter about the use of a card is sent (`giver`), or no letter holds an answer (`operator`). */
export interface LetterStopsTable {
  /** The id of a card of any kind. */
  card_id: string
  stopped_by: 'giver' | 'operator'
  created_at: number
}

/** A gift whose link the site mails to its recipient on a day (domain/sending/sending.ts). */
export interface SendingsTable {
  /** The id of a card of any kind. */
  card_id: string
  gift: GiftKind
  state: SendingState
  /** Why it was stopped, or came back. */
  why: SendingEnd | null
  /** Encrypted, for this card alone: another hand can read and write none. Null once it is forgotten. */
  address_sealed: string | null
  /** A keyed digest of the mailbox. Goes with the address, and after a reminder a month later. */
  address_digest: string | null
  /** `YYYY-MM-DD`, in `zone`. */
  day: string
  /** Of the IANA. */
  zone: string
  changes_left: number
  sent_at: number | null
  created_at: number
  changed_at: number
}

/** Mailboxes that want no gifts by mail. */
export interface SendingStopsTable {
  address_digest: string
  created_at: number
}

/** Why a card, of any kind, may not be used for now (domain/card/holds.ts). */
export interface CardHoldsTable {
  card_id: string
  reason: HoldReason
  created_at: number
}

/** The first download of an invitation's book. */
export interface BookDownloadsTable {
  card_id: string
  created_at: number
}

/** The charge at the payment provider that paid an order. A refund names it. */
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

/** The movements of a payout of the provider. Rows are only added. */
export interface ProviderPayoutPartsTable {
  /** The primary key is what keeps a movement from being in two payouts. */
  movement_id: string
  /** The payout's own movement. */
  payout_movement_id: string
  read_at: number
}

/** A buyer's withdrawal from an order. The primary key makes a second one impossible on both engines. */
export interface WithdrawalsTable {
  /** Of the first of an order the order's own, so that it is found by it. */
  id: string
  order_id: string
  /** 1, 2, …: which one of its order it is. More than one there can be of an order of many cards alone. */
  number: number
  /** The numbers of the cards that it is from, as `3, 5-8`; null where it is from all of its order. */
  cards: string | null
  state: WithdrawalState
  answer: WithdrawalAnswer
  /** The amount that goes back, minor units of the order's currency. */
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

/** The withdrawal of somebody who has not shown that they are the buyer. It is deleted when it no longer counts. */
export interface WithdrawalStatementsTable {
  id: string
  /** Stands for the address (`keys.pseudonym`). */
  address: string
  /** The order as it was typed, if the text can be an id. */
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

/** What the public ledger is to say of a set of the books. Written with the set, never changed, never deleted. */
export interface PublicEntriesTable {
  /** The set's. */
  id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  cause: Cause
  currency: Currency
  /** JSON (domain/public-ledger/leaf.ts). */
  amounts: string
}

/** A line of the public ledger, as it is published. Never changed, never deleted. */
export interface LedgerLeavesTable {
  /** 0, 1, 2 … */
  seq: number
  leaf: string
  /** Hex. */
  hash: string
}

/** The entries that a line is of. The primary key keeps an entry from standing in two. Never changed, never deleted. */
export interface LedgerLeafEntriesTable {
  entry_id: string
  seq: number
}

/** A signed head of the public ledger. Never changed, never deleted. */
export interface LedgerForksTable {
  /** From 1. */
  number: number
  /** Of the newest head of before, which is lost. */
  size: number
  /** Hex. */
  root: string
  /** That head as it was published. */
  note: string
  at: number
}

export interface LedgerCosignaturesTable {
  /** The head's. */
  size: number
  /** The witness's key as people write it. */
  witness: string
  /** When it signed, by its own clock: seconds since 1970 UTC. */
  seconds: number
  /** As it stands under the head, with its line feed. */
  line: string
  /** When it came. */
  at: number
}

export interface LedgerHeadsTable {
  /** How many lines it covers. */
  size: number
  /** Hex. */
  root: string
  /** As it is published, with its signature. */
  note: string
  at: number
}

/** The chance value that ties an entry to its line. It is deleted when its buyer is forgotten. */
export interface LedgerNoncesTable {
  entry_id: string
  card_id: string | null
  order_id: string | null
  /** Hex, 32 bytes. */
  nonce: string
}

/**
 * The money that went back to the buyer of an order, as the provider said last. The reversals in the books follow
 * from it.
 */
export interface ReversalsTable {
  order_id: string
  /** Given back, or on its way back, minor units. */
  refunded: number
  /** Taken back by lost disputes. */
  lost: number
  /** The amount that lost disputes took off the card's credit, or off the price of an invitation. */
  taken: number
  updated_at: number
  seal: string | null
}

/** What went back of one card of an order of many: each part as in `reversals`, which says what went back of all of them. */
export interface CardReversalsTable {
  card_id: string
  refunded: number
  lost: number
  taken: number
  updated_at: number
  seal: string | null
}

/** A call that asks for an operator's refund, as long as its answer is not known. */
export interface RefundCallsTable {
  card_id: string
  /** The digest of the press, which can make several calls. */
  press: string
  /** 1 where nobody may use the card meanwhile. */
  holds: number
  /** Epoch ms UTC. */
  begun_at: number
}

/** The page of an order of many cards. Its key is derived, and kept nowhere. */
export interface ManyPagesTable {
  order_id: string
  key_version: number
  /** Of the keys to withdraw, of the certificate and of the invoice; null: that of the first card. */
  purchase_key_version: number | null
  /** Of the press that has the links; null before the first. */
  showing_digest: string | null
  /** The place of the one card whose links that press has; null for all. */
  showing_position: number | null
  /** Epoch ms UTC. */
  shown_at: number | null
  created_at: number
}

/** A dispute as the provider described it last. */
export interface DisputesTable {
  id: string
  order_id: string
  state: DisputeState
  /** Minor units. */
  amount: number
  currency: string
  opened_at: number
  /** Until when it can be answered; null where the provider names no day. */
  answer_by: number | null
  updated_at: number
}

/** Work to be done later, written in the transaction that made it necessary. */
export interface JobsTable {
  id: string
  kind: string
  /** JSON. Holds ids, never keys, links or addresses. */
  payload: string
  dedupe_key: string
  /** The subject of the work (such as a card id), for counting; null if nothing is counted. */
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

/** How many cards a free campaign has given. Claims wait for each other at this row. */
export interface FreeCampaignsTable {
  tag: string
  claimed: number
}

/** A mailbox that has had its free card. The primary key makes a second one impossible on both engines. */
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
  /** The id that the browser keeps after "accept all"; null for anonymous visits, and after opting out. */
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

/** One answer to the consent question, without the person. */
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
  /** The holder of the lease: a random word of each run. */
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
  /** Where it was announced, of which `candidates` are then; null where nobody can compute it again. */
  announcement_id: string | null
  /** JSON: places of candidates that had left the list; null where it was not announced. */
  gone: string | null
}

/** Cards that are due are announced in the public ledger, and what they will be drawn by (product.md#the-draw). */
export interface DrawAnnouncementsTable {
  id: string
  /** JSON: as it stands in its line. */
  terms: string
  /** When its value comes, epoch ms UTC: after that nothing is published of it any more. */
  draw_at: number
  created_at: number
  /** When a head with it was published; null until then. */
  published_at: number | null
  /** Hex: what is kept back until the draw, where it is not by drand. */
  secret: string | null
  /** Hex: the value's signature, once it came. */
  signature: string | null
  /** Of the head that a witness signed; null where it is by drand. */
  size: number | null
}

/** A card in an announcement. One that was not published in time is announced again. */
export interface DrawCardsTable {
  card_id: string
  /** From 1. */
  attempt: number
  announcement_id: string
  /** What its line will show, the same in every announcement. */
  blind: string
  /** Of the blind, hex; null once its buyer is forgotten. */
  nonce: string | null
}

/** Where an organisation is paid, or was, or is to be. */
export interface PayeeAccountsTable {
  id: string
  ngo_id: string
  state: PayeeState
  /** As its bank knows it. */
  legal_name: string
  tax_number: string | null
  /** ISO 3166, of the account. */
  country: string
  /** Without spaces; null where the account has none. */
  iban: string | null
  number: string | null
  /** The bank's own code: routing number, sort code, transit number. */
  routing: string | null
  bic: string | null
  /** Whom statements, and warnings of a change, go to; null once forgotten. */
  contact: string | null
  /** Of the mails to it. */
  language: Language
  /** The account that was paid to when this one was proposed; null for the first. */
  replaces: string | null
  proposed_at: number
  /** When the contact of the account before was written to, or it was clear that nobody could be. */
  told_at: number | null
  /** Who at the organisation said that the account is theirs; null before, and once forgotten. */
  confirmed_by: string | null
  confirmed_how: SecondChannel | null
  confirmed_at: number | null
  ended_at: number | null
  /** Made with the server's secret (server/modules/ledger/seals.ts). */
  seal: string
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
  /** null where it was made alone. */
  run_id: string | null
  /** Where it goes; null where it was made alone. */
  account_id: string | null
  cancelled_at: number | null
  /** When a statement of the bank has shown its transfer; null where it was noted by hand alone, or is not paid. */
  seen_at: number | null
  /** How often it was noted as paid by mistake. */
  taken_back: Generated<number>
}

/** Payouts that were made together: one for each organisation and currency. */
export interface PayoutRunsTable {
  id: string
  /** What the operator calls it: `2026-11`. */
  run_key: string
  created_at: number
}

/** The allocations of a payout. The primary key keeps an allocation from being paid out twice. */
export interface PayoutAllocationsTable {
  card_id: string
  ngo_id: string
  payout_id: string
}

/** A mail to an organisation about one of its payouts, with the link by which it says that the money has arrived. */
export interface PayoutAdvicesTable {
  id: string
  payout_id: string
  /** Whose contact it goes to, in whose language. */
  account_id: string
  /** Of the link's key, which is derived again when the mail is sent. */
  key_version: number
  key_digest: string
  created_at: number
  /** The link is dead since then, and what was said with it counts no more. */
  withdrawn_at: number | null
  /** When somebody pressed the button. */
  received_at: number | null
  /** The organisation's receipt is a file in DATA_DIR/receipts; null where none was attached. */
  receipt_kind: ReceiptKind | null
  /** SHA-256 of the file in hex. */
  receipt_digest: string | null
  receipt_bytes: number | null
}

/** When something that should keep happening was last seen. */
export interface SightingsTable {
  name: string
  at: number
}

/** What all processes together do at most so often. */
export interface PacesTable {
  name: string
  /** The next moment that nobody has yet: microseconds of the database's clock, or of an embedded one's machine since it runs. */
  next_at: number
}

/** A line of visitors. It holds numbers, and nothing of anybody. */
export interface WaitingRoomsTable {
  name: string
  /** How many there have been, so that no process overwrites what another has written. */
  changes: number
  /** A `Room` of the domain (limits/waiting-room.ts), as JSON. */
  state: string
}

/** The acts of operators. Never changed, never deleted. */
export interface AuditLogTable {
  id: string
  /** `interface` or `terminal`. */
  actor: string
  action: string
  /** An id; never an address or a key. */
  subject: string | null
  outcome: string
  created_at: number
  /** Whose passkey opened the session; null where the token did, at the terminal, and before there were passkeys. */
  person_id: string | null
}

/** Somebody at the desk. */
export interface PeopleTable {
  id: string
  name: string
  role: Role
  /** Where they are written to when somebody is let in on the machine. */
  email: string | null
  /** 1 for whoever made the first passkey with the token; null for everybody else. */
  is_first: number | null
  /** SHA-256 of the code with which they make a passkey; null where none waits. */
  invitation_seal: string | null
  invitation_from: number | null
  invitation_until: number | null
  created_at: number
  /** From then on none of their passkeys opens anything. */
  ended_at: number | null
}

/** One row where this is the database of a sandbox (decision 129), else none. Never changed, never deleted. */
export interface SandboxTable {
  id: 1
}

/** A partner whose programs open payments. */
export interface PartnersTable {
  id: string
  name: string
  /** Whom to write to; null once revoked, or erased. */
  contact: string | null
  /** `PARTNER_SCOPES`, separated by spaces. */
  scopes: string
  /** Made with the server's secret; null once revoked. */
  key_digest: string | null
  /** Proves that the product wrote the key, for this partner and these scopes. */
  seal: string
  created_at: number
  /** The last day (UTC) on which the key was used; null before. */
  used_day: string | null
  revoked_at: number | null
}

/** An order that a partner opened. */
export interface PartnerOrdersTable {
  order_id: string
  partner_id: string
  /** The partner's own name for it; goes with whatever names a person. */
  reference: string | null
  created_at: number
}

/** A passkey: its private half never leaves its owner's device. */
export interface PasskeysTable {
  /** The credential's id, base64url. */
  id: string
  person_id: string
  /** COSE, base64url. */
  public_key: string
  /** How often it signed, as it says itself; 0 where it does not count. */
  counter: number
  created_at: number
  used_at: number | null
  /** Proves that the product wrote it, for this person in this role. */
  seal: string
}

/** Challenges that were answered: none is answered twice. */
export interface UsedChallengesTable {
  id: string
  expires_at: number
}

/** A daily count of rows that never get fewer. Never changed, never deleted. */
export interface CheckpointsTable {
  /** 1, 2, 3 … */
  number: number
  /** The count covers rows that were written until this time. */
  at: number
  /** JSON (`Counts` in server/modules/integrity/checkpoints.ts). */
  counts: string
  /** Over this row and the seal of the one before. */
  seal: string
}

/** The value by which a start sees that it has the same secret as the start before. */
export interface SecretChecksTable {
  name: string
  /** The digest of a text derived from the secret. It opens nothing. */
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
  /** The version of the words that were agreed to. */
  text_version: number
  asked_at: number
  /** When news by WhatsApp were agreed to, apart from the mails. */
  whatsapp_at: number | null
  confirmed_at: number | null
  unsubscribed_at: number | null
}
