/** Of each part of an address: as many as five letters beyond ASCII have. Each form is a question to the database. */
const MOST_FORMS = 32

/**
 * The ways to write an address that differ in the case of letters beyond ASCII: a database need not fold those (SQLite
 * never does, PostgreSQL by its locale). Of a part with many such letters only the usual ways: as it was typed, in small
 * letters, in capitals, and each word with a capital.
 */
export function caseForms(address: string): readonly string[] {
  const at = address.lastIndexOf('@')
  const domains = formsOfPart(address.slice(at + 1))
  return formsOfPart(address.slice(0, at)).flatMap(local => domains.map(domain => `${local}@${domain}`))
}

function formsOfPart(part: string): readonly string[] {
  const small = part.toLowerCase()
  const letters: (readonly string[])[] = [...small].map(formsOfLetter)
  const count = letters.reduce((product, forms) => product * forms.length, 1)
  const forms =
    count > MOST_FORMS
      ? [small, part.toUpperCase(), small.replace(/\p{L}+/gu, capitalized)]
      : letters.reduce((before, of) => before.flatMap(start => of.map(form => start + form)), [''])
  return [...new Set([...forms, part])]
}

/** A letter as it is and as a capital, where that is one letter too (the capital of ß is two). */
function formsOfLetter(letter: string): readonly string[] {
  const capital = letter.toUpperCase()
  const isPair = letter > '\x7f' && capital !== letter && capital.toLowerCase() === letter
  return isPair ? [letter, capital] : [letter]
}

const capitalized = (word: string): string => {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('')
}
