import { sql } from 'kysely'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** A card comes of a paid order that is worth its credit and what disputes took of it, or of a campaign that gave it. */
export async function cardsNobodyPaid(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('cards')
    .leftJoin('orders', 'orders.id', 'cards.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'cards.order_id')
    .leftJoin(
      eb =>
        eb
          .selectFrom('ledger_entries')
          .select(['card_id', 'currency', sumOf('amount').as('given')])
          .where('account', '=', 'campaign')
          .groupBy(['card_id', 'currency'])
          .as('campaign'),
      join =>
        join.onRef('campaign.card_id', '=', 'cards.id').onRef('campaign.currency', '=', 'cards.currency'),
    )
    .select(['cards.id', 'cards.credit'])
    .where(eb =>
      eb.not(
        eb.or([
          eb.and([
            eb('cards.kind', '=', 'donation'),
            eb(eb.fn.coalesce('orders.status', sql.lit('')), 'in', orderStatesOf('sold')),
            eb(
              eb.fn.coalesce('orders.ngo_amount', sql.lit(0)),
              '=',
              sql<number>`cards.credit + coalesce(reversals.taken, 0)`,
            ),
            eb(eb.fn.coalesce('orders.currency', sql.lit('')), '=', eb.ref('cards.currency')),
          ]),
          eb.and([
            eb('cards.kind', '=', 'free'),
            eb(eb.fn.coalesce('campaign.given', sql.lit(0)), '=', sql<number>`-cards.credit`),
          ]),
        ]),
      ),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'card-not-paid', subject: row.id, expected: row.credit }))
}

/** The books owe for a card what is still on it: all of it, or nothing once it is used or revoked. */
export async function cardsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  const outstanding = sql<number>`case when cards.status in ('active', 'frozen') then cards.credit else 0 end`
  const rows = await db
    .selectFrom('cards')
    .leftJoin(
      eb =>
        eb
          .selectFrom('ledger_entries')
          .select(['card_id', 'currency', sumOf('amount').as('owed')])
          .where('account', '=', 'cards')
          .groupBy(['card_id', 'currency'])
          .as('booked'),
      join => join.onRef('booked.card_id', '=', 'cards.id'),
    )
    .select(['cards.id', outstanding.as('expected'), 'booked.owed'])
    .where(eb =>
      eb.or([
        eb(eb.fn.coalesce('booked.owed', sql.lit(0)), '<>', outstanding),
        eb('booked.currency', '<>', eb.ref('cards.currency')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'card-books-differ',
    subject: row.id,
    expected: row.expected,
    found: row.owed ?? 0,
  }))
}

/** A card is used exactly when there is a redemption of it. */
export async function redemptionsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('cards')
    .leftJoin('redemptions', 'redemptions.card_id', 'cards.id')
    .select('cards.id')
    .where(eb =>
      eb.or([
        eb.and([eb('cards.status', '=', 'consumed'), eb('redemptions.card_id', 'is', null)]),
        eb.and([eb('cards.status', '<>', 'consumed'), eb('redemptions.card_id', 'is not', null)]),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'redemption-differs', subject: row.id }))
}

/** What was given of a card is its credit, in its currency, or nothing while it is not used. */
export async function allocationsAmiss(db: Reader): Promise<readonly Finding[]> {
  const given = sql<number>`case when cards.status = 'consumed' then cards.credit else 0 end`
  const rows = await db
    .selectFrom('cards')
    .leftJoin(
      eb =>
        eb
          .selectFrom('allocations')
          .select(['card_id', 'currency', sumOf('amount').as('amount')])
          .groupBy(['card_id', 'currency'])
          .as('allocated'),
      join => join.onRef('allocated.card_id', '=', 'cards.id'),
    )
    .select(['cards.id', given.as('expected'), 'allocated.amount'])
    .where(eb =>
      eb.or([
        eb(eb.fn.coalesce('allocated.amount', sql.lit(0)), '<>', given),
        eb('allocated.currency', '<>', eb.ref('cards.currency')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'allocations-differ',
    subject: row.id,
    expected: row.expected,
    found: row.amount ?? 0,
  }))
}

/** A card that was given away after its year went to the organisation that was drawn. */
export async function drawsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('redemptions')
    .leftJoin('draws', 'draws.card_id', 'redemptions.card_id')
    .leftJoin('allocations', 'allocations.card_id', 'redemptions.card_id')
    .select('redemptions.card_id')
    .where('redemptions.cause', '=', 'auto-donation')
    .where(eb =>
      eb.or([eb('draws.card_id', 'is', null), eb('draws.ngo_id', '<>', eb.ref('allocations.ngo_id'))]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'draw-differs', subject: row.card_id }))
}
