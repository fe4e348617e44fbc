import { autoDonateAt } from '#domain/card/term.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { requestDigestOf } from '#server/modules/gifts/cards/request-digest.ts'
import { checkDigestOf, checkWordOf } from '#server/modules/gifts/check-words.ts'
import type { FindingRule } from '#server/modules/integrity/findings.ts'
import {
  areDetailsSealed,
  BANK_REFUND_SEALED,
  CARD_REVERSAL_SEALED,
  CARD_SEALED,
  INVITATION_SEALED,
  INVOICE_SEALED,
  INVOICED_ORDER,
  INVOICED_TO,
  type InvoicedOrder,
  type InvoicedTo,
  MOVEMENT_SEALED,
  ORDER_SEALED,
  PAYEE_SEALED,
  REDEMPTION_SEALED,
  REVERSAL_SEALED,
  type SealedAllocation,
  type SealedBankRefund,
  type SealedCard,
  type SealedCardReversal,
  type SealedInvitation,
  type SealedInvoice,
  type SealedMovement,
  type SealedOrder,
  type SealedPayee,
  type SealedRedemption,
  type SealedReversal,
  type SealedTable,
  type SealedWithdrawal,
  sealOfBankRefund,
  sealOfCard,
  sealOfCardReversal,
  sealOfInvitation,
  sealOfInvoice,
  sealOfMovement,
  sealOfOrder,
  sealOfPayee,
  sealOfRedemption,
  sealOfReversal,
  sealOfWithdrawal,
  WITHDRAWAL_SEALED,
} from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'

interface Sealable {
  readonly seal: string | null
}

/** The rows of one table that have seals: how they are read, sealed and judged. */
export interface SealedRows<Row extends Sealable> {
  readonly table: SealedTable
  /** The column by which the rows are gone through. */
  readonly id: keyof Row & string
  readonly columns: readonly string[]
  /** The columns of a sealed row that the product changes. */
  readonly moving: readonly (keyof Row & string)[]
  /** The finding for a broken seal. */
  readonly rule: FindingRule
  sealOf(keys: CardKeys, row: Row): string
  /** Findings about values of a row that can be computed again, and differ. The first seal of such a row is a broken one. */
  amiss?(keys: CardKeys, row: Row): readonly FindingRule[]
  /** Is what another seal of the row covers as it was sealed? */
  isWhole?(keys: CardKeys, row: Row): boolean
  /** More findings about a row whose seal is broken. */
  alsoAmiss?(row: Row): readonly FindingRule[]
  /** Reads what belongs to some rows, in their order. */
  complete?(db: Reader, rows: readonly Row[]): Promise<readonly Row[]>
}

const ORDERS: SealedRows<SealedOrder> = {
  table: 'orders',
  id: 'id',
  columns: ORDER_SEALED,
  moving: [],
  rule: 'order-seal-broken',
  sealOf: sealOfOrder,
}

/** Is what a card has of its check word that of its key? A card from before there were words has none. */
function isWordRight(
  keys: CardKeys,
  { id, key_version: version, check_digest: digest }: SealedCard | SealedInvitation,
): boolean {
  if (digest === null || !keys.knows(version)) return true
  return digest === checkDigestOf(keys, checkWordOf(keys.privateKey(id, version)))
}

const CARDS: SealedRows<SealedCard> = {
  table: 'cards',
  id: 'id',
  columns: CARD_SEALED,
  moving: ['status', 'credit', 'key_version'],
  rule: 'card-seal-broken',
  sealOf: sealOfCard,
  amiss(keys, { id, key_version: version, ...card }) {
    // Nothing can be computed again with a secret that is gone.
    const areKeysRight =
      !keys.knows(version) ||
      (card.private_digest === keys.digest(keys.privateKey(id, version)) &&
        card.public_digest === keys.digest(keys.publicKey(id, version)))
    return [
      ...(areKeysRight ? [] : ['card-keys-differ' as const]),
      ...(isWordRight(keys, { id, key_version: version, ...card }) ? [] : ['check-word-differs' as const]),
      ...(card.auto_donate_at === autoDonateAt(card.created_at, termOf(card).months)
        ? []
        : ['auto-donation-day-differs' as const]),
    ]
  },
}

/** With what it gave. */
type Redemption = SealedRedemption & { readonly allocations: readonly SealedAllocation[] }

const REDEMPTIONS: SealedRows<Redemption> = {
  table: 'redemptions',
  id: 'card_id',
  columns: REDEMPTION_SEALED,
  moving: [],
  rule: 'redemption-seal-broken',
  sealOf: (keys, row) => sealOfRedemption(keys, row, row.allocations),
  alsoAmiss({ cause, request_digest, allocations }) {
    if (cause !== 'recipient') return []
    const chosen = allocations.map(({ ngo_id: ngoId, points }) => ({ ngoId, points }))
    return request_digest === requestDigestOf(chosen) ? [] : ['request-differs']
  },
  async complete(db, rows) {
    const given = await db
      .selectFrom('allocations')
      .select(['card_id', 'ngo_id', 'position', 'points', 'amount', 'currency'])
      .where('card_id', '>=', rows[0]!.card_id)
      .where('card_id', '<=', rows.at(-1)!.card_id)
      .execute()
    const byCard = Map.groupBy(given, ({ card_id }) => card_id)
    return rows.map(row => {
      const allocations: readonly SealedAllocation[] = byCard.get(row.card_id) ?? []
      return { ...row, allocations: allocations.toSorted((a, b) => a.position - b.position) }
    })
  },
}

const INVITATIONS: SealedRows<SealedInvitation> = {
  table: 'volunteering_cards',
  id: 'id',
  columns: INVITATION_SEALED,
  moving: ['status', 'key_version'],
  rule: 'invitation-seal-broken',
  sealOf: sealOfInvitation,
  amiss(keys, card) {
    const { id, key_version: version, key_digest: digest } = card
    const isKeyRight = !keys.knows(version) || digest === keys.digest(keys.privateKey(id, version))
    return [
      ...(isKeyRight ? [] : ['card-keys-differ' as const]),
      ...(isWordRight(keys, card) ? [] : ['check-word-differs' as const]),
    ]
  },
}

const REVERSALS: SealedRows<SealedReversal> = {
  table: 'reversals',
  id: 'order_id',
  columns: REVERSAL_SEALED,
  moving: ['updated_at'],
  rule: 'reversal-seal-broken',
  sealOf: sealOfReversal,
}

const CARD_REVERSALS: SealedRows<SealedCardReversal> = {
  table: 'card_reversals',
  id: 'card_id',
  columns: CARD_REVERSAL_SEALED,
  moving: ['updated_at'],
  rule: 'reversal-seal-broken',
  sealOf: sealOfCardReversal,
}

const WITHDRAWALS: SealedRows<SealedWithdrawal & { readonly id: string }> = {
  table: 'withdrawals',
  // An order can have several.
  id: 'id',
  columns: ['id', ...WITHDRAWAL_SEALED],
  moving: ['state', 'answer', 'amount', 'attempt'],
  rule: 'withdrawal-seal-broken',
  sealOf: sealOfWithdrawal,
}

/** With its order, and whom it names. */
type InvoiceInFull = SealedInvoice & { readonly order: InvoicedOrder; readonly to: InvoicedTo }

const INVOICES: SealedRows<InvoiceInFull> = {
  table: 'invoices',
  id: 'order_id',
  columns: INVOICE_SEALED,
  moving: ['state', 'paid_on', 'details_seal', 'key_version'],
  rule: 'invoice-seal-broken',
  sealOf: sealOfInvoice,
  isWhole: (keys, { order, to, details_seal }) => areDetailsSealed(keys, order, { ...to, details_seal }),
  async complete(db, rows) {
    const ids = rows.map(({ order_id: id }) => id)
    const orders = await db.selectFrom('orders').select(INVOICED_ORDER).where('id', 'in', ids).execute()
    const named = await db
      .selectFrom('invoices')
      .select(['order_id', ...INVOICED_TO])
      .where('order_id', 'in', ids)
      .execute()
    const orderOf = new Map(orders.map(each => [each.id, each]))
    const toOf = new Map(named.map(({ order_id: id, ...to }) => [id, to]))
    return rows.map(row => ({ ...row, order: orderOf.get(row.order_id)!, to: toOf.get(row.order_id)! }))
  },
}

const BANK_REFUNDS: SealedRows<SealedBankRefund> = {
  table: 'bank_refunds',
  id: 'id',
  columns: BANK_REFUND_SEALED,
  moving: [],
  rule: 'invoice-seal-broken',
  sealOf: sealOfBankRefund,
}

const MOVEMENTS: SealedRows<SealedMovement> = {
  table: 'provider_movements',
  id: 'id',
  columns: MOVEMENT_SEALED,
  moving: [],
  rule: 'movement-seal-broken',
  sealOf: sealOfMovement,
}

const PAYEES: SealedRows<SealedPayee> = {
  table: 'payee_accounts',
  id: 'id',
  columns: PAYEE_SEALED,
  moving: ['state', 'contact', 'told_at', 'confirmed_by', 'confirmed_how', 'confirmed_at', 'ended_at'],
  rule: 'payee-seal-broken',
  sealOf: sealOfPayee,
}

/** Does the same with the rows of every table that has seals. */
export const forEachSealed = <Result>(
  visit: <Row extends Sealable>(rows: SealedRows<Row>) => Result,
): readonly Result[] => [
  visit(ORDERS),
  visit(CARDS),
  visit(REDEMPTIONS),
  visit(INVITATIONS),
  visit(REVERSALS),
  visit(CARD_REVERSALS),
  visit(WITHDRAWALS),
  visit(INVOICES),
  visit(BANK_REFUNDS),
  visit(MOVEMENTS),
  visit(PAYEES),
]

/** A page of them: those after an id, '' to begin, in its order. */
export async function sealedPage<Row extends Sealable>(
  db: Reader,
  { table, id, columns, complete }: SealedRows<Row>,
  after: string,
  limit: number,
): Promise<readonly Row[]> {
  // The table and its columns belong together: the descriptions above say so.
  const found: unknown = await db
    .selectFrom(table as 'cards')
    .select(columns as typeof CARD_SEALED)
    .where(id as 'id', '>', after)
    // An order has its seal from the moment on in which it is paid.
    .$if(table === 'orders', query => query.where('status' as 'id', 'in', orderStatesOf('sold')))
    .orderBy(id as 'id')
    .limit(limit)
    .execute()
  const rows = found as readonly Row[]
  return complete && rows.length > 0 ? complete(db, rows) : rows
}

/** How many of them have no seal. */
export async function bareRows(db: Reader, { table }: Pick<SealedRows<Sealable>, 'table'>): Promise<number> {
  const { rows } = await db
    .selectFrom(table as 'cards')
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .where('seal', 'is', null)
    .$if(table === 'orders', query => query.where('status' as 'id', 'in', orderStatesOf('sold')))
    .executeTakeFirstOrThrow()
  return Number(rows)
}
