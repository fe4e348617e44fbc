import type { Insertable } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import { type Money, money } from '#domain/money/money.ts'
import type { Themes } from '#server/modules/content/theme-releases.ts'
import { type CreatedCard, createEach, type NewCard } from '#server/modules/gifts/cards/create.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import { type CardKeys, createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { createVolunteeringCard } from '#server/modules/gifts/invitations/create.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { recordFreeGifts, recordSale } from '#server/modules/ledger/record.ts'
import { type SealedOrder, sealOfOrder } from '#server/modules/ledger/seals.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { JobsTable, OrdersTable } from '#server/platform/db/schema.ts'

/** The terms that orders of tests were bought under. Every database of a test holds them. */
export const TEST_TERMS = 'a0b1c2d3e4f5a6b7c8d9'

/** The offer that orders of tests were bought from. Every database of a test holds it; it says nothing of packages. */
export const TEST_OFFER = 'f0e1d2c3b4a5f6e7d8c9'

/** Keeps both in a database, where they are not kept yet. */
export async function keepTestTerms(trx: Writer): Promise<void> {
  await trx
    .insertInto('legal_texts')
    .values([
      { version: TEST_TERMS, page: 'terms', content: '{}' },
      { version: TEST_OFFER, page: 'offer', content: '{}' },
    ])
    .onConflict(conflict => conflict.column('version').doNothing())
    .execute()
}

/** A secret for the tests' card keys, also for processes that they start. */
export const TEST_CARD_SECRET = 'a secret that only the tests know of'
export const testKeys = createCardKeys(TEST_CARD_SECRET)

export const CREATED_AT = Date.parse('2026-03-10T09:00:00Z')
const HALF_AN_HOUR = 30 * 60_000

/** A job that waits from `runAt` on (epoch ms UTC). Jobs of one key are one. */
export const aJob = (key: string, runAt = 1, kind = 'test'): Insertable<JobsTable> => ({
  id: newId(runAt),
  kind,
  payload: '{}',
  dedupe_key: key,
  subject: null,
  run_at: runAt,
  lease_until: null,
  attempts: 0,
  done_at: null,
  failed_reason: null,
  created_at: runAt,
})

/** An open order: 50 € for the organisations and 5 € of support, 1.05 € of which is tax. */
export function anOrder(changes: Partial<Insertable<OrdersTable>> = {}): Insertable<OrdersTable> {
  const order = {
    id: newId(CREATED_AT),
    kind: 'donation',
    status: 'open',
    package_id: 'their food',
    theme_id: 'palestine',
    sender_name: 'Aina',
    language: 'es',
    currency: 'EUR',
    ngo_amount: 5000,
    support_amount: 500,
    tax_amount: 105,
    attempt_key_digest: null,
    request_digest: 'request',
    checkout_session_sealed: null,
    checkout_session_digest: null,
    created_at: CREATED_AT,
    expires_at: CREATED_AT + HALF_AN_HOUR,
    settled_at: null,
    terms_version: TEST_TERMS,
    offer_version: TEST_OFFER,
    ...changes,
  } as const
  return { total_amount: order.ngo_amount + order.support_amount, ...order }
}

export interface SoldCard extends CreatedCard {
  readonly credit: Money
  readonly orderId: string
}

/** Noon UTC of a day before today, epoch ms: one day in every zone that the product writes. */
export const noonDaysAgo = (days: number): number =>
  Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 0.5) * DAY_MS

/** What of an order says when it was bought and paid, epoch ms UTC. */
export const boughtAt = (at: number) => ({
  created_at: at,
  expires_at: at + HALF_AN_HOUR,
  settled_at: at,
})

/** A card that somebody bought: the paid order, the card and its place in the books, as a settlement leaves them. */
export function sellCard(
  trx: Writer,
  changes: Partial<Insertable<OrdersTable>> & { email?: string; keys?: CardKeys } = {},
): Promise<SoldCard> {
  const { email = 'buyer@example.org', keys = testKeys, ...ofOrder } = changes
  return sell(trx, anOrder({ status: 'paid', settled_at: CREATED_AT, ...ofOrder }), email, keys)
}

/** As the settlement of a payment seals it. */
function sealed(order: Insertable<OrdersTable>): Insertable<OrdersTable> {
  const nothing = {
    term_months: null,
    reminder_days: null,
    fallback_ngo_id: null,
    vat_rate: null,
    vat_amount: null,
    card_count: 1,
    split_sealed: null,
  }
  const { settled_at = null, checkout_session_digest = null } = order
  const row = { ...nothing, ...order, settled_at, checkout_session_digest } as SealedOrder
  return { ...order, seal: sealOfOrder(testKeys, row) }
}

/** One card, as the product makes them. */
export async function createOne(trx: Writer, keys: CardKeys, card: NewCard): Promise<CreatedCard> {
  const [created] = await createEach(trx, keys, [card])
  return created!
}

async function sell(
  trx: Writer,
  order: Insertable<OrdersTable>,
  email: string,
  keys: CardKeys = testKeys,
): Promise<SoldCard> {
  // A product's own database has other terms.
  await keepTestTerms(trx)
  await trx.insertInto('orders').values(sealed(order)).execute()
  const credit = money(order.ngo_amount, order.currency)
  const card = await createOne(trx, keys, {
    orderId: order.id,
    themeId: order.theme_id,
    senderName: order.sender_name ?? null,
    language: order.language,
    credit,
    email,
    createdAt: order.created_at,
    term: termOf({ term_months: null, reminder_days: null, ...order }),
  })
  await recordSale(trx, {
    orderId: order.id,
    kind: 'donation',
    cardIds: [card.cardId],
    ...amountsOf(order),
    at: order.created_at,
  })
  return { ...card, credit, orderId: order.id }
}

const CAMPAIGN = 'campaign-of-the-tests'

/** A free card of 5 €, given by a campaign. @param at epoch ms UTC */
export async function giveFreeCard(trx: Writer, at = CREATED_AT): Promise<CreatedCard> {
  const credit = money(500, 'EUR')
  const card = await createOne(trx, testKeys, {
    orderId: null,
    themeId: 'palestine',
    senderName: null,
    language: 'en',
    credit,
    email: 'claimant@example.org',
    createdAt: at,
  })
  await recordFreeGifts(trx, [{ cardId: card.cardId, credit, at }])
  await trx
    .insertInto('free_campaigns')
    .values({ tag: CAMPAIGN, claimed: 1 })
    .onConflict(conflict =>
      conflict.column('tag').doUpdateSet(eb => ({ claimed: eb('free_campaigns.claimed', '+', 1) })),
    )
    .execute()
  await trx
    .insertInto('free_claims')
    .values({
      address_digest: `address of ${card.cardId}`,
      tag: CAMPAIGN,
      card_id: card.cardId,
      attempt_key_digest: null,
      created_at: at,
    })
    .execute()
  return card
}

/** An invitation that somebody bought, outside the books. */
export async function inviteFor(
  trx: Writer,
  { email = 'buyer@example.org', name = 'Aina' } = {},
): Promise<{ readonly cardId: string; readonly orderId: string; readonly key: string }> {
  const { id } = anOrder()
  const values = anOrder({
    id,
    kind: 'volunteering',
    status: 'paid',
    sender_name: name,
    settled_at: CREATED_AT,
  })
  await keepTestTerms(trx)
  await trx.insertInto('orders').values(sealed(values)).execute()
  const order = await orderById(trx, id)
  if (!order) throw new Error('the order is gone')
  const cardId = await createVolunteeringCard(trx, testKeys, { order, email, createdAt: CREATED_AT })
  return { cardId, orderId: id, key: testKeys.privateKey(cardId, 1) }
}

/** Many bought cards at once. */
export function sellCards(db: Database, count: number): Promise<SoldCard[]> {
  return db.transaction(async trx => {
    const cards: SoldCard[] = []
    for (let n = 0; n < count; n++) cards.push(await sellCard(trx))
    return cards
  })
}

/** Whatever theme a card is to have: which may be had has tests of its own. */
export const anyTheme: Themes = { async accept() {}, claimed: async id => id ?? 'palestine' }

/** An operator's refund of a card begins, and its answer never comes. @param at epoch ms UTC */
export const refundBegins = (
  db: Database,
  cardId: string,
  at: number,
  kind: 'donation' | 'volunteering' = 'donation',
): Promise<unknown> =>
  db.transaction(async trx => {
    const card = await lockCard(trx, kind, cardId)
    return holdCard(trx, testKeys, kind, card!, { reason: 'refund', stands: true, at })
  })
