import type { Selectable } from 'kysely'
import type { AllocationsTable, Schema } from '#server/platform/db/schema.ts'
import type { Mac } from '#server/platform/mac.ts'

/** Makes seals. */
export interface Sealer {
  readonly mac: Mac
}

/**
 * The product seals a row with the server's secret when it writes the row. Somebody who can write to the database but
 * does not have the secret cannot change or add a row that has a good seal. A seal covers what decides about money.
 * It does not cover names, addresses and times of mails, since those are corrected and forgotten.
 */
const seal = (keys: Sealer, ...parts: readonly (string | number | null | readonly unknown[])[]): string =>
  keys.mac(JSON.stringify(parts))

/**
 * A seal over these columns of a row, in this order.
 * @param word tells the seals of one table from those of every other
 * @param later groups that came one after the other: each stands behind where a row has any of it
 */
const sealOver =
  <Row extends object>(
    word: string,
    columns: readonly (keyof Row & string)[],
    later: readonly (readonly (keyof Row & string)[])[] = [],
  ) =>
  (keys: Sealer, row: Omit<Row, 'seal'>): string => {
    const values = row as Readonly<Record<string, string | number | null>>
    const groups = later.map(group =>
      group.map(column => {
        const value = values[column] ?? null
        return value === FROM_BEFORE[column] ? null : value
      }),
    )
    return seal(
      keys,
      word,
      ...columns.map(column => values[column]!),
      ...groups.filter(group => group.some(value => value !== null)),
    )
  }

/**
 * The columns that a seal covers, in the order in which it reads them. Neither the columns nor their order ever change:
 * the seals of rows that were sealed before would not fit any more.
 */
const COVERED = {
  orders: [
    'id',
    'kind',
    'package_id',
    'currency',
    'ngo_amount',
    'support_amount',
    'tax_amount',
    'total_amount',
    'checkout_session_digest',
    'created_at',
    'settled_at',
  ],
  cards: [
    'id',
    'order_id',
    'kind',
    'status',
    'currency',
    'credit',
    'key_version',
    'private_digest',
    'public_digest',
    'created_at',
    'auto_donate_at',
  ],
  volunteering_cards: ['id', 'order_id', 'status', 'key_version', 'key_digest', 'created_at'],
  redemptions: ['card_id', 'cause', 'request_digest', 'receipt_digest', 'created_at'],
  reversals: ['order_id', 'refunded', 'lost', 'taken', 'updated_at'],
  card_reversals: ['card_id', 'refunded', 'lost', 'taken', 'updated_at'],
  provider_movements: [
    'id',
    'kind',
    'type',
    'currency',
    'amount',
    'fee',
    'net',
    'charged_currency',
    'charged_amount',
    'source_id',
    'charge_id',
    'order_id',
    'borne',
    'created_at',
    'read_at',
  ],
  payee_accounts: [
    'id',
    'ngo_id',
    'state',
    'legal_name',
    'tax_number',
    'country',
    'iban',
    'number',
    'routing',
    'bic',
    'contact',
    'language',
    'replaces',
    'proposed_at',
    'told_at',
    'confirmed_by',
    'confirmed_how',
    'confirmed_at',
    'ended_at',
  ],
  withdrawals: ['order_id', 'state', 'answer', 'amount', 'attempt', 'stated_at', 'confirmed_at'],
  invoices: ['order_id', 'year', 'number', 'state', 'currency', 'amount', 'paid_on', 'created_at'],
  bank_refunds: ['id', 'order_id', 'amount', 'cards', 'withdrawal', 'attempt', 'made_at'],
} as const satisfies { readonly [Table in keyof Schema]?: readonly (keyof Schema[Table])[] }

/**
 * Columns that were added to these tables later, in groups. A seal covers a group behind the earlier ones, and only
 * in rows where the group has a value, so that older seals still fit. The groups and their columns never change. Each
 * group of a table has a length, or a type of value, of its own, which tells them apart.
 */
const COVERED_LATER = {
  orders: [
    ['term_months', 'reminder_days', 'fallback_ngo_id'],
    ['vat_rate', 'vat_amount'],
    ['card_count'],
    ['split_sealed'],
  ],
  cards: [['term_months', 'reminder_days'], ['check_digest'], ['position']],
  volunteering_cards: [['check_digest']],
  withdrawals: [['number', 'cards']],
  invoices: [['details_seal', 'key_version']],
} as const satisfies { readonly [Table in SealedTable]?: readonly (readonly (keyof Schema[Table])[])[] }

/** What rows hold that were written before these columns were there: it counts as no value. */
const FROM_BEFORE: Readonly<Record<string, number>> = {
  card_count: 1,
  position: 0,
  number: 1,
  key_version: 1,
}

/** The tables whose rows have seals. */
export type SealedTable = keyof typeof COVERED

/** The columns that a seal covers, and the seal itself. */
type SealedRow<Table extends SealedTable> = Pick<
  Selectable<Schema[Table]>,
  Extract<(typeof COVERED)[Table][number] | LaterOf<Table> | 'seal', keyof Selectable<Schema[Table]>>
>

type LaterOf<Table extends SealedTable> = Table extends keyof typeof COVERED_LATER
  ? (typeof COVERED_LATER)[Table][number][number]
  : never

export type SealedOrder = SealedRow<'orders'>
export type SealedCard = SealedRow<'cards'>
export type SealedInvitation = SealedRow<'volunteering_cards'>
export type SealedRedemption = SealedRow<'redemptions'>
export type SealedReversal = SealedRow<'reversals'>
export type SealedCardReversal = SealedRow<'card_reversals'>
export type SealedMovement = SealedRow<'provider_movements'>
export type SealedPayee = SealedRow<'payee_accounts'>
export type SealedWithdrawal = SealedRow<'withdrawals'>
export type SealedInvoice = SealedRow<'invoices'>
export type SealedBankRefund = SealedRow<'bank_refunds'>

export const ORDER_SEALED = [...COVERED.orders, ...COVERED_LATER.orders.flat(), 'seal'] as const
export const CARD_SEALED = [...COVERED.cards, ...COVERED_LATER.cards.flat(), 'seal'] as const
export const INVITATION_SEALED = [
  ...COVERED.volunteering_cards,
  ...COVERED_LATER.volunteering_cards.flat(),
  'seal',
] as const
export const REDEMPTION_SEALED = [...COVERED.redemptions, 'seal'] as const
export const REVERSAL_SEALED = [...COVERED.reversals, 'seal'] as const
export const CARD_REVERSAL_SEALED = [...COVERED.card_reversals, 'seal'] as const
export const MOVEMENT_SEALED = [...COVERED.provider_movements, 'seal'] as const
export const PAYEE_SEALED = [...COVERED.payee_accounts, 'seal'] as const
export const WITHDRAWAL_SEALED = [
  ...COVERED.withdrawals,
  ...COVERED_LATER.withdrawals.flat(),
  'seal',
] as const
export const INVOICE_SEALED = [...COVERED.invoices, ...COVERED_LATER.invoices.flat(), 'seal'] as const
export const BANK_REFUND_SEALED = [...COVERED.bank_refunds, 'seal'] as const

/** Seals an order that is paid. From then on nothing of it changes. */
export const sealOfOrder = sealOver<SealedOrder>('order', COVERED.orders, COVERED_LATER.orders)
export const sealOfCard = sealOver<SealedCard>('card', COVERED.cards, COVERED_LATER.cards)
export const sealOfInvitation = sealOver<SealedInvitation>(
  'invitation',
  COVERED.volunteering_cards,
  COVERED_LATER.volunteering_cards,
)
export const sealOfReversal = sealOver<SealedReversal>('reversal', COVERED.reversals)
export const sealOfCardReversal = sealOver<SealedCardReversal>('card reversal', COVERED.card_reversals)
export const sealOfMovement = sealOver<SealedMovement>('movement', COVERED.provider_movements)
/** Whom money goes to, whom the warning of a change goes to, and when it went: the waiting day begins then. */
export const sealOfPayee = sealOver<SealedPayee>('payee account', COVERED.payee_accounts)
export const sealOfWithdrawal = sealOver<SealedWithdrawal>(
  'withdrawal',
  COVERED.withdrawals,
  COVERED_LATER.withdrawals,
)
/** What is to be paid, and whether it was: before its payment nothing else seals what an order costs. */
export const sealOfInvoice = sealOver<SealedInvoice>('invoice', COVERED.invoices, COVERED_LATER.invoices)
export const sealOfBankRefund = sealOver<SealedBankRefund>('bank refund', COVERED.bank_refunds)

/** What an order has, before it is paid, of what its own seal covers later. As with `COVERED` the list never changes. */
export const INVOICED_ORDER = [
  'id',
  'kind',
  'package_id',
  'currency',
  'ngo_amount',
  'support_amount',
  'tax_amount',
  'total_amount',
  'created_at',
  'term_months',
  'reminder_days',
  'fallback_ngo_id',
  'vat_rate',
  'vat_amount',
  'card_count',
] as const satisfies readonly (keyof Schema['orders'])[]

/** Whom an invoice is made out to, and where its cards go. */
export const INVOICED_TO = [
  'name',
  'document',
  'address',
  'email',
] as const satisfies readonly (keyof Schema['invoices'])[]

export type InvoicedOrder = Pick<Selectable<Schema['orders']>, (typeof INVOICED_ORDER)[number]>
export type InvoicedTo = Pick<Selectable<Schema['invoices']>, (typeof INVOICED_TO)[number]>

/**
 * A seal over what an invoice is for and where its cards go. It is a column of its own, which the seal of the invoice covers:
 * whom an invoice names is forgotten, and nothing is left then that this one could be compared with.
 */
export const sealOfInvoiceDetails = (keys: Sealer, order: InvoicedOrder, to: InvoicedTo): string =>
  seal(
    keys,
    'invoice details',
    ...INVOICED_ORDER.map(column => order[column]),
    ...INVOICED_TO.map(column => to[column]),
  )

/** Are they as they were sealed? So is what was forgotten, and an invoice from before there was such a seal. */
export const areDetailsSealed = (
  keys: Sealer,
  order: InvoicedOrder,
  invoice: InvoicedTo & Pick<SealedInvoice, 'details_seal'>,
): boolean =>
  invoice.details_seal === null ||
  invoice.email === null ||
  invoice.details_seal === sealOfInvoiceDetails(keys, order, invoice)

export type SealedAllocation = Pick<
  Selectable<AllocationsTable>,
  'ngo_id' | 'position' | 'points' | 'amount' | 'currency'
>

/** Seals a redemption with all its allocations, in the order of `position`. */
export function sealOfRedemption(
  keys: Sealer,
  redemption: Omit<SealedRedemption, 'seal'>,
  allocations: readonly SealedAllocation[],
): string {
  return seal(
    keys,
    'redemption',
    ...COVERED.redemptions.map(column => redemption[column]),
    allocations.map(each => [each.ngo_id, each.position, each.points, each.amount, each.currency]),
  )
}

/** The seal of a row whose seal was already broken before the product changed it. It fits no text. */
export const BROKEN = 'broken'

/**
 * The seal of a row that the product changes. A broken one stays broken, whatever the row says now: the change must not
 * hide what somebody else did. A row from before there were seals (null) waits for its first.
 */
export function sealedAnew<Row>(
  keys: Sealer,
  sealOf: (keys: Sealer, row: Row) => string,
  before: NoInfer<Row> & { readonly seal: string | null },
  after: NoInfer<Row>,
): string | null {
  if (before.seal === null) return null
  return before.seal === sealOf(keys, before) ? sealOf(keys, after) : BROKEN
}
