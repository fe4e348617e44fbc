import type { Language } from '#domain/languages.ts'
import type { Rgb } from '#domain/themes.ts'
import { openPage } from './page-sizes.ts'

/** A document of one sheet that goes to an office, and is copied there. */
export interface PaperDocument {
  readonly language: Language
  readonly title: string
  /** It stands in the file's title beside the document's. */
  readonly number: string
  /** What has to be known of it before all else. */
  readonly notice?: string
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** Paragraphs beneath. */
  readonly words: readonly string[]
}

const PAPER: Rgb = [255, 255, 255]
const INK: Rgb = [22, 24, 32]
const SOFT: Rgb = [84, 88, 100]
const MARGIN = 64
const WIDTH = 595.28 - 2 * MARGIN
const LABEL = 150

/** Writes it on A4, without colours. Letters that the font does not have are left out of the values. */
export async function writeDocument(document: PaperDocument): Promise<Buffer> {
  const { language, title, number, notice, rows, words } = document
  const paper = await openPage({ language, title: `${title} ${number}`, paper: PAPER })
  let y = MARGIN
  const paragraph = (tag: 'H1' | 'P', text: string, size: number, after: number) => {
    const style = {
      font: tag === 'H1' ? 'display' : 'sans',
      size,
      ink: INK,
      x: MARGIN,
      width: WIDTH,
    } as const
    paper.write(tag, text, { ...style, y })
    y += paper.heightOf(text, style) + after
  }
  paragraph('H1', title, 26, notice === undefined ? 28 : 12)
  if (notice !== undefined) paragraph('P', notice, 16, 28)
  for (const [label, written] of rows) {
    const value = paper.writable(written)
    const at = { font: 'sans', size: 11 } as const
    const column = { ...at, ink: INK, x: MARGIN + LABEL, width: WIDTH - LABEL } as const
    paper.write('P', label, { ...at, ink: SOFT, x: MARGIN, width: LABEL - 12, y })
    paper.write('P', value, { ...column, y })
    y += paper.heightOf(value, column) + 10
  }
  y += 18
  for (const [n, text] of words.entries())
    paragraph('P', paper.writable(text), 11, n === words.length - 1 ? 0 : 14)
  return paper.close()
}
