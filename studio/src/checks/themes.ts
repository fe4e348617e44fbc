import type { ValidationContext } from 'sanity'
import {
  keptWordVerdict,
  offeredVerdict,
  placeVerdict,
  uniqueWordVerdict,
  wordVerdict,
} from '../rules/themes.ts'
import { ask, askPublished, ownId } from './lake.ts'

/** A theme's word: well-formed, free, and the one that it was published under. */
export async function checkWord(value: unknown, context: ValidationContext): Promise<true | string> {
  const verdict = wordVerdict(value)
  if (verdict !== true) return verdict
  const id = ownId(context)
  const published = await askPublished<string | null>(context, '*[_id == $id][0].word', { id })
  const kept = keptWordVerdict(value, published)
  if (kept !== true) return kept
  const others = await ask<string[]>(context, '*[_type == "theme" && _id != $id && defined(word)].word', {
    id,
  })
  return uniqueWordVerdict(value, others)
}

export async function checkOffered(value: unknown, context: ValidationContext): Promise<true | string> {
  const query = 'count(*[_type == "theme" && offered == true && _id != $id])'
  return offeredVerdict(value, value === true ? 1 : await ask<number>(context, query, { id: ownId(context) }))
}

export async function checkThemePlace(value: unknown, context: ValidationContext): Promise<true | string> {
  if (value === undefined) return true
  const query = 'count(*[_type == "theme" && place == $place && _id != $id])'
  return placeVerdict(await ask<number>(context, query, { place: value, id: ownId(context) }))
}
