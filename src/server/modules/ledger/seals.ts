import type { Selectable } from 'kysely'
import type { AllocationsTable, Schema } from '#server/platform/db/schema.ts'
import type { Mac } from '#server/platform/mac.ts'

/** Whoever makes seals. */
export interface Sealer {
  readonly mac: Mac
}

/**
 * What a row stands for is sealed with the server's secret when the product writes it, so that whoever can write to the
 * database, and does not have the secret, cannot change a row, or make one, and leave a good seal. Sealed is what the
 * money hangs on; names, addresses and times of mails are not, since they are forgotten and corrected.
 */
const seal = (keys: Sealer, ...parts: readonly (string | number | null | readonly unknown[])[]): string =>
  keys.mac(JSON.stringify(parts))

/**
 * A seal over these columns of a row, in this order.
 * @param word tells the seals of one table from those of every other
 * @param later stands behind them where a row has any of it
 */
const sealOver =
  <Row extends object>(
    word: string,
    columns: readonly (keyof Row & string)[],
    later: readonly (keyof Row & string)[] = [],
  ) =>
  (keys: Sealer, row: Omit<Row, 'seal'>): string => {
    const values = row as Readonly<Record<string, string | number | null>>
    const added = later.map(column => values[column] ?? null)
    return seal(
      keys,
      word,
      ...columns.map(column => values[column]!),
      ...(added.some(value => value !== null) ? [added] : []),
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
  withdrawals: ['order_id', 'state', 'answer', 'amount', 'attempt', 'stated_at', 'confirmed_at'],
} as const satisfies { readonly [Table in keyof Schema]?: readonly (keyof Schema[Table])[] }

/**
 * What came to these tables later. It stands behind the others in a seal, and only in a row that has any of it: the
 * seals of the rows before fit still. Neither the columns nor their order ever change.
 */
const COVERED_LATER = {
  orders: ['term_months', 'reminder_days', 'fallback_ngo_id'],
  cards: ['term_months', 'reminder_days'],
} as const satisfies { readonly [Table in SealedTable]?: readonly (keyof Schema[Table])[] }

/** The tables whose rows have seals. */
export type SealedTable = keyof typeof COVERED

/** What of a row its seal covers, and the seal. */
type SealedRow<Table extends SealedTable> = Pick<
  Selectable<Schema[Table]>,
  Extract<(typeof COVERED)[Table][number] | LaterOf<Table> | 'seal', keyof Selectable<Schema[Table]>>
>

type LaterOf<Table extends SealedTable> = Table extends keyof typeof COVERED_LATER
  ? (typeof COVERED_LATER)[Table][number]
  : never

export type SealedOrder = SealedRow<'orders'>
export type SealedCard = SealedRow<'cards'>
export type SealedInvitation = SealedRow<'volunteering_cards'>
export type SealedRedemption = SealedRow<'redemptions'>
export type SealedReversal = SealedRow<'reversals'>
export type SealedMovement = SealedRow<'provider_movements'>
export type SealedWithdrawal = SealedRow<'withdrawals'>

export const ORDER_SEALED = [...COVERED.orders, ...COVERED_LATER.orders, 'seal'] as const
export const CARD_SEALED = [...COVERED.cards, ...COVERED_LATER.cards, 'seal'] as const
export const INVITATION_SEALED = [...COVERED.volunteering_cards, 'seal'] as const
export const REDEMPTION_SEALED = [...COVERED.redemptions, 'seal'] as const
export const REVERSAL_SEALED = [...COVERED.reversals, 'seal'] as const
export const MOVEMENT_SEALED = [...COVERED.provider_movements, 'seal'] as const
export const WITHDRAWAL_SEALED = [...COVERED.withdrawals, 'seal'] as const

/** Of an order that is paid: from then on nothing of it changes. */
export const sealOfOrder = sealOver<SealedOrder>('order', COVERED.orders, COVERED_LATER.orders)
export const sealOfCard = sealOver<SealedCard>('card', COVERED.cards, COVERED_LATER.cards)
export const sealOfInvitation = sealOver<SealedInvitation>('invitation', COVERED.volunteering_cards)
export const sealOfReversal = sealOver<SealedReversal>('reversal', COVERED.reversals)
export const sealOfMovement = sealOver<SealedMovement>('movement', COVERED.provider_movements)
export const sealOfWithdrawal = sealOver<SealedWithdrawal>('withdrawal', COVERED.withdrawals)

export type SealedAllocation = Pick<
  Selectable<AllocationsTable>,
  'ngo_id' | 'position' | 'points' | 'amount' | 'currency'
>

/** Of a redemption with everything that it gave, in the order of `position`. */
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

/** What a row gets whose seal was broken before the product changed it: no text has this seal. */
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
