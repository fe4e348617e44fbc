import { LANGUAGE_NAMES } from '../languages/names.ts'
import { isLinkTarget, isWebLink, type Language } from '../product.ts'

/**
 * What is wrong with a value, in a sentence for the operator, or `true` when nothing is: the shape of Sanity's
 * own custom rules. They say the same as the site's check of published content, only sooner.
 */
export type Verdict = true | string

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

/** The sentence for a missing value. The schema uses it to mark the field as required. */
export const missing = (what: 'text' | 'link', language: Language): string =>
  what === 'text' ? String(textVerdict('', language)) : String(linkVerdictIn('', language))

export function textVerdict(value: unknown, language: Language): Verdict {
  const name = LANGUAGE_NAMES[language]
  return isBlank(value) ? `The ${name} text is missing. Readers in ${name} would find a gap here.` : true
}

export function linkVerdict(value: unknown): Verdict {
  if (isBlank(value)) return 'The link is missing.'
  return (
    isWebLink(value) ||
    'This link is broken: it has to begin with https:// and name a site, as https://www.example.org/ does.'
  )
}

export function linkVerdictIn(value: unknown, language: Language): Verdict {
  return isBlank(value)
    ? `The link for readers in ${LANGUAGE_NAMES[language]} is missing. It may be the same as in another language.`
    : linkVerdict(value)
}

/** A link inside a text may also lead to a mailbox or to a page of this site. */
export function targetVerdict(value: unknown): Verdict {
  if (isBlank(value)) return 'The link is missing.'
  return (
    isLinkTarget(String(value)) ||
    'This link is broken: it has to begin with https://, with mailto:, or with / for a page of this site.'
  )
}

interface Block {
  readonly children?: readonly { readonly text?: unknown }[]
}

/** A text of paragraphs; one of empty paragraphs alone counts as missing. */
export function bodyVerdict(value: unknown, language: Language): Verdict {
  const blocks: readonly Block[] = Array.isArray(value) ? value : []
  const hasWords = blocks.some(({ children = [] }) => children.some(({ text }) => !isBlank(text)))
  return hasWords || textVerdict('', language)
}
