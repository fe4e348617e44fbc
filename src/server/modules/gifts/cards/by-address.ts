import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * The cards of either kind that were bought with an address, whatever the case of its letters. The condition `is not
 * null` is needed: only with it does SQLite use the index by address, which holds no other card. Without it SQLite
 * reads every card.
 * @param address null finds none
 */
export const boughtWith =
  (address: string | null) =>
  (eb: ExpressionBuilder<Schema, 'cards' | 'volunteering_cards'>): Expression<SqlBool> =>
    eb.and([
      eb('email', 'is not', null),
      eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(address)])),
    ])
