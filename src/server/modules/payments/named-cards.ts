/** The field, at the provider, in which a refund or a dispute says which cards of an order it is about. */
export const NAMED_CARDS = 'cards'

/** The provider takes so many characters in one field. */
const LONGEST = 500

/** The name of a further field, where one does not hold all of them. */
const further = (field: number): string => (field === 0 ? NAMED_CARDS : `${NAMED_CARDS}_${field + 1}`)

/** The fields that name some cards to the provider. @param text as `3, 5-8`; of hundreds it takes more than one field */
export function nameCards(text: string): Readonly<Record<string, string>> {
  const fields: string[] = ['']
  for (const part of text.split(', ')) {
    const last = fields.at(-1)
    const longer = last === '' ? part : `${last}, ${part}`
    if (longer.length <= LONGEST) fields[fields.length - 1] = longer
    else fields.push(part)
  }
  return Object.fromEntries(fields.map((field, n) => [further(n), field]))
}

/** What the fields of a refund or a dispute say about its cards, in one text; undefined where they say nothing. */
export function namedCards(metadata: Readonly<Record<string, string>> | null): string | undefined {
  const first = metadata?.[NAMED_CARDS]
  if (first === undefined) return undefined
  const fields = [first]
  for (let n = 1; metadata?.[further(n)] !== undefined; n++) fields.push(metadata[further(n)]!)
  return fields.join(', ')
}
