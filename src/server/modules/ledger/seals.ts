import type { Selectable } from 'kysely'
import type {
  AllocationsTable,
  CardsTable,
  OrdersTable,
  RedemptionsTable,
  ReversalsTable,
  VolunteeringCard,
} from '#server/platform/db/schema.ts'
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

/** What a card's seal covers, and the seal. */
export const CARD_SEALED = [
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
  'seal',
] as const satisfies readonly (keyof CardsTable)[]

export type SealedCard = Pick<Selectable<CardsTable>, (typeof CARD_SEALED)[number]>

export function sealOfCard(keys: Sealer, card: Omit<SealedCard, 'seal'>): string {
  return seal(
    keys,
    'card',
    card.id,
    card.order_id,
    card.kind,
    card.status,
    card.currency,
    card.credit,
    card.key_version,
    card.private_digest,
    card.public_digest,
    card.created_at,
    card.auto_donate_at,
  )
}

/** `sealOfCard` with its keys. */
export const ofCard =
  (keys: Sealer) =>
  (card: SealedCard): string =>
    sealOfCard(keys, card)

export const INVITATION_SEALED = [
  'id',
  'order_id',
  'status',
  'key_version',
  'key_digest',
  'created_at',
  'seal',
] as const satisfies readonly (keyof VolunteeringCard)[]

export type SealedInvitation = Pick<VolunteeringCard, (typeof INVITATION_SEALED)[number]>

export function sealOfInvitation(keys: Sealer, card: Omit<SealedInvitation, 'seal'>): string {
  return seal(
    keys,
    'invitation',
    card.id,
    card.order_id,
    card.status,
    card.key_version,
    card.key_digest,
    card.created_at,
  )
}

/** `sealOfInvitation` with its keys. */
export const ofInvitation =
  (keys: Sealer) =>
  (card: SealedInvitation): string =>
    sealOfInvitation(keys, card)

export const ORDER_SEALED = [
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
  'seal',
] as const satisfies readonly (keyof OrdersTable)[]

export type SealedOrder = Pick<Selectable<OrdersTable>, (typeof ORDER_SEALED)[number]>

/** Of an order that is paid: from then on nothing of it changes. */
export function sealOfOrder(keys: Sealer, order: Omit<SealedOrder, 'seal'>): string {
  return seal(
    keys,
    'order',
    order.id,
    order.kind,
    order.package_id,
    order.currency,
    order.ngo_amount,
    order.support_amount,
    order.tax_amount,
    order.total_amount,
    order.checkout_session_digest,
    order.created_at,
    order.settled_at,
  )
}

export type SealedAllocation = Pick<
  Selectable<AllocationsTable>,
  'ngo_id' | 'position' | 'points' | 'amount' | 'currency'
>

/** Of a redemption with everything that it gave, in the order of `position`. */
export function sealOfRedemption(
  keys: Sealer,
  redemption: Pick<
    Selectable<RedemptionsTable>,
    'card_id' | 'cause' | 'request_digest' | 'receipt_digest' | 'created_at'
  >,
  allocations: readonly SealedAllocation[],
): string {
  return seal(
    keys,
    'redemption',
    redemption.card_id,
    redemption.cause,
    redemption.request_digest,
    redemption.receipt_digest,
    redemption.created_at,
    allocations.map(each => [each.ngo_id, each.position, each.points, each.amount, each.currency]),
  )
}

export function sealOfReversal(keys: Sealer, row: Omit<Selectable<ReversalsTable>, 'seal'>): string {
  return seal(keys, 'reversal', row.order_id, row.refunded, row.lost, row.taken, row.updated_at)
}

/** What a row gets whose seal was broken before the product changed it: no text has this seal. */
export const BROKEN = 'broken'

/**
 * The seal of a row that the product changes. A broken one stays broken, whatever the row says now: the change must not
 * hide what somebody else did. A row from before there were seals (null) waits for its first.
 */
export function sealedAnew<Row extends { readonly seal: string | null }>(
  of: (row: Row) => string,
  before: Row,
  after: Row,
): string | null {
  if (before.seal === null) return null
  return before.seal === of(before) ? of(after) : BROKEN
}
