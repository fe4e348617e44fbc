import { z } from 'zod'
import { isWebLink } from '#domain/content/links.ts'
import { perLanguage } from '#domain/languages.ts'

/** Schemas that fields of the content are made of. */

/** Many times the longest of the seed: nobody reads more of it on a card. */
const MOST_TEXT_CHARACTERS = 5_000
const MOST_LINK_CHARACTERS = 2_000
/** Documents of a kind, paragraphs of a page: each is on a page that every visitor is sent. */
const MOST_ENTRIES = 1_000
/** A page's paragraph. */
export const MOST_PARAGRAPH_CHARACTERS = 20_000

export const text = z.string().trim().min(1).max(MOST_TEXT_CHARACTERS)

/** A list of no more than can be shown. */
export const listOf = <T extends z.ZodType>(entry: T) => z.array(entry).max(MOST_ENTRIES)

export const id = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z0-9_-]+$/)

/** A page of another site. */
export const link = z
  .string()
  .max(MOST_LINK_CHARACTERS)
  .refine(isWebLink, 'not a link to another site over https')

/** The same shape in each of the product's languages, all of them present. */
export function inEveryLanguage<T extends z.ZodType>(value: T) {
  return z.object(perLanguage(() => value))
}
