import type { ValidationContext } from 'sanity'
import { ask, ownId } from './lake.ts'

/** Two documents of a kind in one place are shown in an order that nobody chose. */
export async function checkPlace(
  place: number | undefined,
  context: ValidationContext,
): Promise<true | string> {
  if (place === undefined) return true
  const query = 'count(*[_type == $type && place == $place && _id != $id])'
  const others = await ask<number>(context, query, {
    place,
    type: context.document?._type,
    id: ownId(context),
  })
  return others === 0 || 'Another one has this place already: the order between the two is left to chance.'
}
