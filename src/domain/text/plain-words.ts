import { cleanLine } from './clean-line.ts'
import { isLinkLike, plainly } from './link-like.ts'

/**
 * Why somebody's words are not sent on. They arrive on a page or in a letter of ours, from somebody whom their reader may
 * not know by name: nothing in them may lead anywhere.
 */
export type WordsRule = 'too-long' | 'link' | 'address' | 'telephone'

/** What was written, null where it says nothing, or the rule that it breaks. */
export type ReadWords = { readonly words: string | null } | { readonly rule: WordsRule }

/** `name at example dot com`, in three languages, and in brackets. */
const SPELT_OUT =
  /[[({]\s*(?:at|arroba|arobase|dot|punto|point)\s*[\])}]|\s(?:dot|punto|point)\s+(?:com|org|net|info)(?![\p{L}\p{N}])/iu
const STREET_BEFORE =
  /(?:^|[^\p{L}])(?:calle|c\/|avenida|avda|paseo|rue|boulevard|bd|avenue|street|road|lane)(?=[^\p{L}]|$)[^\p{N}]{0,40}\p{N}/iu
const STREET_BEHIND =
  /\p{N}\p{L}?,?\s+(?:\p{L}+['’. -]+){0,3}(?:rue|boulevard|bd|avenue|street|road|lane)(?=[^\p{L}]|$)/iu
/** A day in figures is no telephone number, as long as no other figures stand against it. */
const DAYS = /(?<![\p{N}./-])\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?![./-]?\p{N})/gu
/** Seven figures or more, with at most three signs that are no letters between two of them. */
const TELEPHONE = /(?:\p{N}[^\p{L}\p{N}]{0,3}){7,}/u

/**
 * Reads what somebody writes to somebody else through us: one line of plain text, trimmed, without control characters, with
 * no link, no address (of a mailbox, a page, an account or a house) and no telephone number. Longer ones are refused, not
 * cut: nobody wants half a sentence sent in their name.
 * @param most characters (code points)
 */
export function readPlainWords(written: string, most: number): ReadWords {
  const words = cleanLine(written, most + 1)
  if ([...words].length > most) return { rule: 'too-long' }
  const read = plainly(words)
  if (STREET_BEFORE.test(read) || STREET_BEHIND.test(read) || read.includes('@') || SPELT_OUT.test(read))
    return { rule: 'address' }
  if (isLinkLike(read)) return { rule: 'link' }
  if (TELEPHONE.test(read.replace(DAYS, ' '))) return { rule: 'telephone' }
  return { words: words === '' ? null : words }
}
