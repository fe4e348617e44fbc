import { CARD_SEALED } from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** The cards that are drawn for: those that nobody used in their term, and those that their recipients left to the draw. */
export const DRAWN = ['ended', 'left'] as const

export type Drawn = (typeof DRAWN)[number]

/** A card's place among those of its kind. */
export interface Place {
  readonly at: number
  readonly id: string
}

/** Before every card. */
const BEGINNING: Place = { at: 0, id: '' }

/**
 * The query for the cards of a kind, in the order of their terms.
 * @param by until when a term may end, epoch ms UTC; what was left waits for no day
 * @param after where the last look ended
 */
export const cardsToDraw = (
  db: Reader,
  which: Drawn,
  { by, after = BEGINNING }: { readonly by: number; readonly after?: Place | undefined },
) =>
  db
    .selectFrom('cards')
    .select([...CARD_SEALED, 'email'])
    .where('status', '=', which === 'left' ? 'left' : 'active')
    .$if(which === 'ended', query => query.where('auto_donate_at', '<=', by))
    .where('auto_donate_at', '>=', after.at)
    .where(eb => eb.or([eb('auto_donate_at', '>', after.at), eb('id', '>', after.id)]))
    .orderBy('auto_donate_at')
    .orderBy('id')
