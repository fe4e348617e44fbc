import { type Builder, repeated } from './growth.ts'

/** A piece of a pattern that matches characters: a letter, an escape or a class. */
const PIECE =
  /\\u\{[0-9a-f]+\}|\\[ux][0-9a-f]+|\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\[\](){}|*+?^$.]|\./gi
const GROUP_HEAD = /\(\?(?:<[!=]|[:!=]|<\w+>)|\{\d+(?:,\d*)?\}|\\[bB]/g
/** What classes are tried with, so that each has a character or two of its own. */
const CANDIDATES = ['a', '1', ' ', '/', '@', '%', '-', '.', '"', '<', '\n', 'é', '\u200b', '\ud800', '€']
const NEVER = '\u0001'
const MOST_PAIRED = 8

/**
 * Texts that are bad for a pattern, made from its own pieces: each piece again and again, each beginning of it again
 * and again, and each beginning followed by much of the next piece; all with an end that fits nowhere. A pattern that
 * tries a text in more than one way per character meets its worst among them.
 */
export function worstTexts({ source, flags }: { source: string; flags: string }): readonly Builder[] {
  const pieces = [...source.replace(GROUP_HEAD, '').matchAll(PIECE)].map(([piece]) =>
    charactersOf(piece, flags),
  )
  const parts = new Set<string>()
  const builders: Builder[] = []
  let begun = ''
  for (const characters of pieces) {
    for (const each of characters) {
      parts.add(each)
      parts.add(begun + each)
      builders.push(repeated(each, begun, NEVER))
    }
    begun += characters[0] ?? ''
  }
  const literals = [...source.matchAll(/[\w%@<>:;=#&-]{2,}/g)].map(([literal]) => literal)
  for (const literal of literals) parts.add(literal)
  for (const part of parts) if (part) builders.push(repeated(part, '', NEVER))
  const paired = [...parts].filter(Boolean).slice(0, MOST_PAIRED)
  for (const one of paired) for (const other of paired) builders.push(repeated(one + other, '', NEVER))
  return builders
}

/** One or two characters that a piece matches. */
function charactersOf(piece: string, flags: string): readonly string[] {
  if (piece.length === 1 && piece !== '.') return [piece]
  const own = new RegExp(`^(?:${piece})$`, flags.replace(/[gy]/g, ''))
  const plain = piece.startsWith('[') ? [...piece] : [piece.slice(1)]
  return [...CANDIDATES, ...plain].filter(each => own.test(each)).slice(0, 2)
}
