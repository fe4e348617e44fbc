/** Texts that people type, made fit to be shown. */

/** Direction marks, embeddings, overrides and isolates: they can reorder the text around a name. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** Halves of characters and spaces without width. Joiners stay: emoji and Persian need them. */
const INVISIBLE = /[\p{Cs}\u00ad\u180e\u200b\u2060-\u2064\ufeff]/gu
const SPACES = /[\s\u0085]+/gu
const CONTROLS = /\p{Cc}/gu
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{Cf}\u2800]/u

/**
 * How many code units are read for each character that may stay. The rest of a very long text is not read: to sort
 * combining marks takes time that grows with the square of their number.
 */
const READ_PER_KEPT = 20

/**
 * Makes one clean line of what was typed: spaces and line breaks become single spaces, control and
 * direction-control characters go, at most `most` characters (code points) stay and none is cut apart.
 * Gives '' when nothing visible is left. Cleaning twice changes nothing more.
 */
export function cleanLine(text: string, most: number): string {
  const line = text
    .slice(0, most * READ_PER_KEPT)
    .replace(BIDI_CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SPACES, ' ')
    .replace(CONTROLS, '')
    .replace(SPACES, ' ')
    .trim()
    .normalize('NFC')
  const kept = cut(line, most).trimEnd()
  return VISIBLE.test(kept) ? kept : ''
}

let graphemes: Intl.Segmenter | undefined

/** The longest beginning of whole graphemes within the limit. */
function cut(line: string, most: number): string {
  // Code points are never more than code units.
  if (line.length <= most) return line
  // Made when it is needed: the first costs a phone 40 ms, and screens that know a name would wake with it.
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  let kept = ''
  let length = 0
  for (const { segment } of graphemes.segment(line)) {
    length += [...segment].length
    if (length > most) break
    kept += segment
  }
  return kept
}
