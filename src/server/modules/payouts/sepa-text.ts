/** What SEPA takes of a name (ISO 20022 has `Max140Text`). */
export const LONGEST_NAME = 70

/** Letters that are no Latin letter with a mark, as banks write them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ª: 'a',
  º: 'o',
  '’': "'",
  '·': '.',
  '–': '-',
  '—': '-',
  '&': '+',
}

/**
 * A text in the letters that every bank of the area takes (EPC 217-08): Latin letters, digits, space and / - ? : ( ) . , ' +.
 * It neither begins nor ends with a slash, and has no two of them.
 * @throws RangeError where nothing of it is left
 */
export function sepaText(text: string, most: number): string {
  const plain = latin(text)
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/g, ' ')
    .replace(/\/+/g, '/')
    .replace(/ +/g, ' ')
  const kept = withoutEdges(withoutEdges(plain).slice(0, most))
  if (!/[A-Za-z0-9]/.test(kept)) throw new RangeError('The name has no letter that a bank takes.')
  return kept
}

/** A pattern for the end of a text would take the square of its slashes. */
function withoutEdges(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && '/ '.includes(text[from]!)) from++
  while (to > from && '/ '.includes(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** Would the bank's file lack letters of this name, as Greek or Cyrillic ones? A bank compares it with the account's. */
export const losesLetters = (name: string): boolean => /\p{L}/u.test(latin(name).replace(/[A-Za-z]/g, ''))

const latin = (text: string): string =>
  [...text]
    .map(letter => LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
