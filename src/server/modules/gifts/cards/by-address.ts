import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * The cards of either kind that were bought with an address, whatever the case of its letters. That there is an
 * address at all has to be said: only then does the embedded database take the index by address, which holds no other
 * card, instead of reading every card.
 * @param address null finds none
 */
export const boughtWith =
  (address: string | null) =>
  (eb: ExpressionBuilder<Schema, 'cards' | 'volunteering_cards'>): Expression<SqlBool> =>
    eb.and([
      eb('email', 'is not', null),
      eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.val(address)])),
    ])
