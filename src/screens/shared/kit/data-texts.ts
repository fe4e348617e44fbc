/** Texts as attributes, for a script to read from the element's `dataset`: `{ tooMany }` is `data-too-many`. */
export function dataTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      `data-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`,
      text,
    ]),
  )
}
