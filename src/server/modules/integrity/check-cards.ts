import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { type Finding, type FindingRule, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** A card comes of a paid order, an equal part of which is worth its credit and what disputes took of it, or of a campaign that gave it. */
export async function cardsNobodyPaid(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('cards')
    .leftJoin('orders', 'orders.id', 'cards.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'cards.order_id')
    .leftJoin('card_reversals', 'card_reversals.card_id', 'cards.id')
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
    .select(['cards.id', 'cards.credit', 'cards.currency'])
    .where(eb =>
      eb.not(
        eb.or([
          eb.and([
            eb('cards.kind', '=', 'donation'),
            eb(eb.fn.coalesce('orders.status', sql.lit('')), 'in', orderStatesOf('sold')),
            eb(
              eb.fn.coalesce('orders.ngo_amount', sql.lit(0)),
              '=',
              sql<number>`case when orders.card_count = 1 then cards.credit + coalesce(reversals.taken, 0)
                else orders.card_count * (cards.credit + coalesce(card_reversals.taken, 0)) end`,
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
  return rows.map(({ id, credit, currency }) => ({
    rule: 'card-not-paid',
    subject: id,
    expected: credit,
    currency,
  }))
}

/** The books owe for a card what is still on it: all of it, or nothing once it is used or revoked. */
export function cardsBookedWrong(db: Reader): Promise<readonly Finding[]> {
  return cardsWhoseSumDiffers(db, {
    rule: 'card-books-differ',
    summed: db.selectFrom('ledger_entries').where('account', '=', 'cards'),
    expected: sql<number>`case when cards.status not in ('consumed', 'revoked') then cards.credit else 0 end`,
  })
}

/** A card's allocations sum to its credit, in its currency. A card that is not used has none. */
export function allocationsAmiss(db: Reader): Promise<readonly Finding[]> {
  return cardsWhoseSumDiffers(db, {
    rule: 'allocations-differ',
    // Each row of them is of a card.
    summed: db.selectFrom('allocations') as unknown as Summed,
    expected: sql<number>`case when cards.status = 'consumed' then cards.credit else 0 end`,
  })
}

/** Rows with an amount of a card. */
type Summed = SelectQueryBuilder<Schema, 'ledger_entries', object>

/** The cards of which some rows' sum is not the amount expected, or is in another currency. */
async function cardsWhoseSumDiffers(
  db: Reader,
  {
    rule,
    summed,
    expected,
  }: { readonly rule: FindingRule; readonly summed: Summed; readonly expected: RawBuilder<number> },
): Promise<readonly Finding[]> {
  const sums = summed
    .select(['card_id', 'currency', sumOf('amount').as('amount')])
    .groupBy(['card_id', 'currency'])
    .as('sums')
  const rows = await db
    .selectFrom('cards')
    .leftJoin(sums, join => join.onRef('sums.card_id', '=', 'cards.id'))
    .select(['cards.id', 'cards.currency', expected.as('expected'), 'sums.amount'])
    .where(eb =>
      eb.or([
        eb(eb.fn.coalesce('sums.amount', sql.lit(0)), '<>', expected),
        eb('sums.currency', '<>', eb.ref('cards.currency')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule,
    subject: row.id,
    expected: row.expected,
    found: row.amount ?? 0,
    currency: row.currency,
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

/**
 * A card that was given away after its term went to the organisation that was drawn; or to the one that its buyer named,
 * exactly when that was on the list. Before its term, and past its buyer's wish, only what its recipient left to the draw is.
 */
export async function drawsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('redemptions')
    .leftJoin('draws', 'draws.card_id', 'redemptions.card_id')
    .leftJoin('allocations', 'allocations.card_id', 'redemptions.card_id')
    .leftJoin('cards', 'cards.id', 'redemptions.card_id')
    .leftJoin('orders', 'orders.id', 'cards.order_id')
    .leftJoin('card_holds as left_to_draw', join =>
      join.onRef('left_to_draw.card_id', '=', 'redemptions.card_id').on('left_to_draw.reason', '=', 'draw'),
    )
    .select('redemptions.card_id')
    .where('redemptions.cause', '=', 'auto-donation')
    .where(eb =>
      eb.or([
        eb('draws.card_id', 'is', null),
        eb('draws.ngo_id', '<>', eb.ref('allocations.ngo_id')),
        sql<boolean>`draws.chosen_by = 'buyer' and draws.ngo_id <> coalesce(orders.fallback_ngo_id, '')`,
        sql<boolean>`draws.chosen_by = 'buyer' and left_to_draw.card_id is not null`,
        sql<boolean>`redemptions.created_at < cards.auto_donate_at and left_to_draw.card_id is null`,
        sql<boolean>`coalesce(draws.chosen_by, 'chance') = 'chance' and left_to_draw.card_id is null
          and orders.fallback_ngo_id is not null and replace(draws.candidates, '"' || orders.fallback_ngo_id || '"', '') <> draws.candidates`,
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'draw-differs', subject: row.card_id }))
}
