import { z } from 'zod'
import { isWebLink } from '#domain/content/links.ts'
import { perLanguage } from './snapshot.ts'

/** What fields of the content are made of. */

export const text = z.string().trim().min(1)

/** A page of another site. */
export const link = z.string().refine(isWebLink, 'not a link to another site over https')

/** The same shape in each of the product's languages, all of them present. */
export function inEveryLanguage<T extends z.ZodType>(value: T) {
  return z.object(perLanguage(() => value))
}
