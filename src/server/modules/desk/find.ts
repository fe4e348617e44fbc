import type { CardStatus } from '#domain/card/states.ts'
import { isNamed, LOOK_UPS, type LookUp, readSearch, type Search } from '#domain/desk/search.ts'
import type { Currency } from '#domain/money/currency.ts'
import { type DocumentNumber, lettersOf } from '#domain/payment/document-number.ts'
import type { OrderState } from '#domain/payment/order-states.ts'
import { seriesOf } from '#domain/payment/receipts.ts'
import type { PayoutState } from '#domain/payout/payout-states.ts'
import { boughtWith } from '#server/modules/gifts/cards/by-address.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** The most that one search finds: who looks for one gift reads no longer list. */
export const MOST_HITS = 50

/** Something that was found. Amounts are minor units, times epoch ms UTC. */
export interface Hit {
  readonly kind: 'card' | 'free-card' | 'invitation' | 'order' | 'payout' | 'provider-payout' | 'organisation'
  readonly id: string
  /** The card that opens with it; null where it has none. */
  readonly card: string | null
  /** What it is called; null where its id says all there is. */
  readonly name: string | null
  readonly state: CardStatus | OrderState | PayoutState | null
  readonly amount: number | null
  readonly currency: Currency | null
  readonly at: number | null
}

/** What came of a search. */
export interface Found {
  readonly search: Search
  readonly hits: readonly Hit[]
  /** There is more than was read. */
  readonly isMore: boolean
}

export interface FindParts {
  readonly db: Database
  /** The keyed digest by which an order knows its session; undefined where no secret is at hand. */
  readonly sessionDigest: ((sessionId: string) => string) | undefined
  /** The keyed digest by which a gift knows the mailbox that it is mailed to; undefined where no secret is at hand. */
  readonly recipientDigest: ((address: string) => string | undefined) | undefined
  /** Asks the payment provider which order a payment intent is of; undefined where nobody can be asked. */
  readonly orderOfIntent: ((intentId: string) => Promise<string | undefined>) | undefined
  /** Every organisation that was ever listed, by its name. */
  readonly organisations: () => readonly { readonly id: string; readonly name: string }[]
}

/** Finds gifts, and what belongs to them, by what an operator typed. It writes nothing down. Problem provider-unavailable. */
export async function find(parts: FindParts, typed: string): Promise<Found> {
  const search = readSearch(typed)
  const intended = search.kind === 'intent' ? await parts.orderOfIntent?.(search.id) : undefined
  const hits = await parts.db.read(async db => {
    const asking = { ...parts, db, intended }
    const found: Hit[] = []
    for (const lookUp of LOOK_UPS[search.kind]) found.push(...(await ANSWERS[lookUp](asking, search)))
    // A charge is known by its order and by its movement.
    return [...new Map(found.map(hit => [`${hit.kind} ${hit.id}`, hit])).values()]
  })
  return { search, hits: hits.slice(0, MOST_HITS), isMore: hits.length > MOST_HITS }
}

interface Asking extends Omit<FindParts, 'db'> {
  readonly db: Reader
  /** The order of the payment intent. */
  readonly intended: string | undefined
}

type Answer = (asking: Asking, search: Search) => Promise<readonly Hit[]>

const idOf = (search: Search): string => ('id' in search ? search.id : '')

const ANSWERS: Readonly<Record<LookUp, Answer>> = {
  'cards-by-id': ({ db }, search) => cards(db, 'id', [idOf(search)]),
  'order-by-id': ({ db }, search) => orders(db, [idOf(search)]),
  'payout-by-id': ({ db, organisations }, search) => ownPayout(db, idOf(search), organisations()),
  async 'order-of-session'({ db, sessionDigest }, search) {
    const digest = sessionDigest?.(idOf(search))
    if (digest === undefined) return []
    const row = await db
      .selectFrom('orders')
      .select('id')
      .where('checkout_session_digest', '=', digest)
      .executeTakeFirst()
    return row ? orders(db, [row.id]) : []
  },
  async 'order-of-charge'({ db }, search) {
    const row = await db
      .selectFrom('charges')
      .select('order_id')
      .where('charge_id', '=', idOf(search))
      .executeTakeFirst()
    return row ? orders(db, [row.order_id]) : []
  },
  'order-of-intent': async ({ db, intended }) => (intended === undefined ? [] : orders(db, [intended])),
  async 'order-of-document'({ db }, search) {
    if (search.kind !== 'document') return []
    const id = await orderOfDocument(db, search)
    const isMeant = id !== undefined && (search.letters === '' || search.letters === lettersOf(id))
    return isMeant ? orders(db, [id]) : []
  },
  async 'movement-of-source'({ db }, search) {
    const rows = await db
      .selectFrom('provider_movements')
      .select('order_id')
      .where('source_id', '=', idOf(search))
      .limit(MOST_HITS)
      .execute()
    return orders(db, ordersIn(rows))
  },
  'parts-of-provider-payout': ({ db }, search) => providerPayout(db, idOf(search)),
  'cards-by-address': ({ db }, search) => boughtBy(db, search.kind === 'address' ? search.address : ''),
  async 'cards-mailed-to'({ db, recipientDigest }, search) {
    const digest = search.kind === 'address' ? recipientDigest?.(search.address) : undefined
    if (digest === undefined) return []
    const rows = await db
      .selectFrom('sendings')
      .select('card_id')
      .where('address_digest', '=', digest)
      .orderBy('card_id', 'desc')
      .limit(MOST_HITS + 1)
      .execute()
    return cards(
      db,
      'id',
      rows.map(row => row.card_id),
    )
  },
  'orders-by-amount': ({ db }, search) => paid(db, search),
  'organisations-by-name': ({ db, organisations }, search) =>
    named(db, search.kind === 'name' ? search.words : '', organisations()),
}

/** The order that a number was drawn for, whatever letters were written behind it. */
async function orderOfDocument(
  db: Reader,
  { mark, year, number }: DocumentNumber,
): Promise<string | undefined> {
  const series = seriesOf(mark)
  const table = series === undefined ? (mark === 'P' ? 'invoices' : 'certificates') : 'receipt_numbers'
  const row = await db
    .selectFrom(table as 'receipt_numbers')
    .select('order_id')
    .$if(series !== undefined, query => query.where('series', '=', series!))
    .where('year', '=', year)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.order_id
}

const ordersIn = (rows: readonly { readonly order_id: string | null }[]): readonly string[] => [
  ...new Set(rows.map(({ order_id }) => order_id).filter(id => id !== null)),
]

/** Cards and invitations by their ids, or by their orders'. */
async function cards(db: Reader, column: 'id' | 'order_id', values: readonly string[]): Promise<Hit[]> {
  if (values.length === 0) return []
  const withCredit = await db.selectFrom('cards').select(CARD).where(column, 'in', values).execute()
  const invitations = await db
    .selectFrom('volunteering_cards')
    .select(INVITATION)
    .where(column, 'in', values)
    .execute()
  return [...withCredit.map(cardHit), ...invitations.map(invitationHit)]
}

const CARD = ['id', 'kind', 'status', 'credit', 'currency', 'created_at'] as const
const INVITATION = ['id', 'status', 'created_at'] as const

const cardHit = (row: {
  id: string
  kind: 'donation' | 'free'
  status: CardStatus
  credit: number
  currency: Currency
  created_at: number
}): Hit => ({
  kind: row.kind === 'free' ? 'free-card' : 'card',
  id: row.id,
  card: row.id,
  name: null,
  state: row.status,
  amount: row.credit,
  currency: row.currency,
  at: row.created_at,
})

const invitationHit = (row: { id: string; status: CardStatus; created_at: number }): Hit => ({
  kind: 'invitation',
  id: row.id,
  card: row.id,
  name: null,
  state: row.status,
  amount: null,
  currency: null,
  at: row.created_at,
})

/** The cards of orders; of an order without a card, the order itself. In the order given, of many cards by their places. */
async function orders(db: Reader, ids: readonly string[]): Promise<Hit[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('orders')
    .select(['id', 'status', 'total_amount', 'currency', 'created_at'])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
  const cardIds = await cardsOfOrders(db, ids)
  const made = new Map((await cards(db, 'order_id', ids)).map(hit => [hit.id, hit]))
  return rows.flatMap((row): Hit[] => {
    const own = (cardIds.get(row.id) ?? []).flatMap(id => made.get(id) ?? [])
    if (own.length > 0) return own
    const { id, status: state, total_amount: amount, currency, created_at: at } = row
    return [{ kind: 'order', id, card: null, name: null, state, amount, currency, at }]
  })
}

async function cardsOfOrders(
  db: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const table of ['cards', 'volunteering_cards'] as const)
    for (const row of await db
      .selectFrom(table as 'cards')
      .select(['id', 'order_id'])
      .where('order_id', 'in', ids)
      .$if(table === 'cards', query => query.orderBy('position'))
      .execute())
      if (row.order_id !== null) found.set(row.order_id, [...(found.get(row.order_id) ?? []), row.id])
  return found
}

/** The newest cards and invitations that were bought with an address. */
async function boughtBy(db: Reader, address: string): Promise<Hit[]> {
  const withCredit = await db
    .selectFrom('cards')
    .select(CARD)
    .where(boughtWith(address))
    .orderBy('created_at', 'desc')
    .limit(MOST_HITS + 1)
    .execute()
  const invitations = await db
    .selectFrom('volunteering_cards')
    .select(INVITATION)
    .where(boughtWith(address))
    .orderBy('created_at', 'desc')
    .limit(MOST_HITS + 1)
    .execute()
  return [...withCredit.map(cardHit), ...invitations.map(invitationHit)].toSorted(
    (a, b) => (b.at ?? 0) - (a.at ?? 0),
  )
}

/** What was paid, or was to be paid, of an amount on a day. The day bounds what is read. */
async function paid(db: Reader, search: Search): Promise<Hit[]> {
  if (search.kind !== 'payment') return []
  const { amount, currency, from, to } = search
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('total_amount', '=', amount)
    .where('currency', '=', currency)
    .orderBy('created_at', 'desc')
    .limit(MOST_HITS + 1)
    .execute()
  return orders(
    db,
    rows.map(({ id }) => id),
  )
}

/** A payout of the provider to the bank, and the cards whose payments are in it. */
async function providerPayout(db: Reader, id: string): Promise<Hit[]> {
  const payout = await db
    .selectFrom('provider_movements')
    .select(['id', 'amount', 'currency', 'created_at'])
    .where('source_id', '=', id)
    .executeTakeFirst()
  if (payout === undefined) return []
  const rows = await db
    .selectFrom('provider_payout_parts as part')
    .innerJoin('provider_movements as m', 'm.id', 'part.movement_id')
    .select('m.order_id')
    .where('part.payout_movement_id', '=', payout.id)
    .limit(MOST_HITS)
    .execute()
  const { amount, currency, created_at: at } = payout
  const itself: Hit = {
    kind: 'provider-payout',
    id,
    card: null,
    name: null,
    state: null,
    amount: 0 - amount,
    currency,
    at,
  }
  return [itself, ...(await orders(db, ordersIn(rows)))]
}

type Organisations = readonly { readonly id: string; readonly name: string }[]

const PAYOUT = ['id', 'ngo_id', 'status', 'amount', 'currency', 'created_at'] as const

const payoutHit = (
  row: {
    id: string
    ngo_id: string
    status: PayoutState
    amount: number
    currency: Currency
    created_at: number
  },
  organisations: Organisations,
): Hit => ({
  kind: 'payout',
  id: row.id,
  card: null,
  name: organisations.find(({ id }) => id === row.ngo_id)?.name ?? row.ngo_id,
  state: row.status,
  amount: row.amount,
  currency: row.currency,
  at: row.created_at,
})

/** A payout to an organisation, and cards that it pays for. */
async function ownPayout(db: Reader, id: string, organisations: Organisations): Promise<Hit[]> {
  const row = await db.selectFrom('payouts').select(PAYOUT).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return []
  const gifts = await db
    .selectFrom('payout_allocations')
    .select('card_id')
    .where('payout_id', '=', id)
    .limit(MOST_HITS)
    .execute()
  const ids = gifts.map(({ card_id }) => card_id)
  return [payoutHit(row, organisations), ...(await cards(db, 'id', ids))]
}

/** Organisations whose name fits, and their newest payouts. There are as many payouts as months and organisations. */
async function named(db: Reader, words: string, organisations: Organisations): Promise<Hit[]> {
  const fitting = organisations.filter(({ name }) => isNamed(name, words)).slice(0, MOST_HITS)
  if (fitting.length === 0) return []
  const rows = await db
    .selectFrom('payouts')
    .select(PAYOUT)
    .where(
      'ngo_id',
      'in',
      fitting.map(({ id }) => id),
    )
    .orderBy('created_at', 'desc')
    .limit(MOST_HITS)
    .execute()
  return [
    ...fitting.map(
      ({ id, name }): Hit => ({
        kind: 'organisation',
        id,
        card: null,
        name,
        state: null,
        amount: null,
        currency: null,
        at: null,
      }),
    ),
    ...rows.map(row => payoutHit(row, organisations)),
  ]
}
