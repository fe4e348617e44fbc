/**
 * Letters that the font of paper has, from the first to the last of each range: Latin, marks, Greek, Cyrillic, signs.
 * Others would be missing from a document that cannot be made again.
 */
const PRINTABLE = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x34f],
  [0x370, 0x377],
  [0x37a, 0x37f],
  [0x384, 0x3ff],
  [0x400, 0x525],
  [0x1e00, 0x1efb],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20ac, 0x20ac],
  [0x2116, 0x2116],
] as const

/** Can all of a text stand on paper? */
export const isPrintable = (text: string): boolean =>
  [...text].every(letter => {
    const point = letter.codePointAt(0) ?? 0
    return PRINTABLE.some(([first, last]) => point >= first && point <= last)
  })
