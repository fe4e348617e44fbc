/**
 * A text in three parts: what stands before a word, the word with the signs that adjoin it, and what follows. So that
 * a masked address, which could break after its ellipsis, keeps to one line, and no full stop begins one.
 * @param word as it stands in the text; a text without it is the first part
 */
export function pieceAround(
  text: string,
  word: string,
): readonly [before: string, piece: string, after: string] {
  const at = text.indexOf(word)
  if (word === '' || at < 0) return [text, '', '']
  const space = text.indexOf(' ', at + word.length)
  const end = space < 0 ? text.length : space
  return [text.slice(0, at), text.slice(at, end), text.slice(end)]
}
