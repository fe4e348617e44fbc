/** Who a card is from. An own name is never empty and is already cleaned. */
export type Sender = { readonly kind: 'anonymous' } | { readonly kind: 'own'; readonly name: string }

/** The longest sender name, in code points (decisions §5). */
export const SENDER_NAME_LENGTH = 80

/** Direction marks, embeddings, overrides and isolates: they can reorder the text around a name. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Halves of characters and spaces without width. Joiners stay: emoji and Persian need them. */
const INVISIBLE = /[\p{Cs}\u00ad\u180e\u200b\u2060-\u2064\ufeff]/gu
const SPACES = /[\s\u0085]+/gu
const CONTROLS = /\p{Cc}/gu
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{Cf}\u2800]/u

/**
 * Makes one clean line of what was typed: spaces and line breaks become single spaces, control and
 * direction-control characters go, at most 80 characters stay and none is cut apart.
 * Gives '' when nothing visible is left. Cleaning twice changes nothing more.
 */
export function cleanSenderName(text: string): string {
  const line = text
    .replace(BIDI_CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(CONTROLS, '')
    .replace(SPACES, ' ')
    .trim()
    .normalize('NFC')
  const name = cut(line).trimEnd()
  return VISIBLE.test(name) ? name : ''
}

/**
 * The sender that a visitor's choice makes, or undefined while it is not complete: nothing chosen, or an own
 * name without a visible character (specification §4, sender name).
 */
export function readSender(
  kind: Sender['kind'] | undefined,
  name: string | null | undefined,
): Sender | undefined {
  if (kind === 'anonymous') return { kind }
  const cleaned = cleanSenderName(name ?? '')
  return kind === 'own' && cleaned !== '' ? { kind, name: cleaned } : undefined
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The longest beginning of whole graphemes within the limit. */
function cut(line: string): string {
  let kept = ''
  let length = 0
  for (const { segment } of graphemes.segment(line)) {
    length += [...segment].length
    if (length > SENDER_NAME_LENGTH) break
    kept += segment
  }
  return kept
}
