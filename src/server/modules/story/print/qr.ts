import { encode } from 'uqr'

/** Light modules around the code, without which cameras do not find it. */
const QUIET_MODULES = 4

/** The dark modules of a link's code, row by row. Medium correction: paper gets creased. */
export function qrModules(link: string): readonly (readonly boolean[])[] {
  return encode(link, { ecc: 'M', boostEcc: false, border: 0 }).data
}

/**
 * Draws the code as vectors, black on white whatever the theme, so that every camera reads it.
 * @param size of the whole square with its quiet zone, points
 */
export function drawQr(doc: PDFKit.PDFDocument, link: string, x: number, y: number, size: number): void {
  const rows = qrModules(link)
  const module = size / (rows.length + 2 * QUIET_MODULES)
  doc.rect(x, y, size, size).fill('#fff')
  for (const [row, modules] of rows.entries()) {
    const top = y + (row + QUIET_MODULES) * module
    for (let start = 0; start < modules.length; ) {
      if (!modules[start]) {
        start++
        continue
      }
      let end = start
      while (modules[end]) end++
      doc.rect(x + (start + QUIET_MODULES) * module, top, (end - start) * module, module)
      start = end
    }
  }
  doc.fill('#000')
}
