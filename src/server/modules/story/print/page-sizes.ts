import { fileURLToPath } from 'node:url'
import type { Language } from '#domain/languages.ts'
import type { Rgb } from '#domain/themes.ts'
import { DISPLAY_PARTS, type DisplayPart, displayFace } from '#server/modules/story/previews/face.ts'
import { createLines } from './lines.ts'

/** A4 in points, and the A6 panels that it folds into. */
const SHEET = { width: 595.28, height: 841.89 }
export const PANEL = { width: SHEET.width / 2, height: SHEET.height / 2 }

/** How long the marks are that show where to fold, points; longer than the margin that home printers leave blank. */
const FOLD_MARK = 24
/** From one line to the next, in sizes of the text. */
const LINE_HEIGHT = 1.3

/** Where a panel's own top left corner lies on the sheet, and whether it stands on its head. */
const PANELS = {
  cover: { x: PANEL.width, y: PANEL.height, turned: false },
  back: { x: 0, y: PANEL.height, turned: false },
  'inside-left': { x: SHEET.width, y: PANEL.height, turned: true },
  'inside-right': { x: PANEL.width, y: PANEL.height, turned: true },
} as const

const file = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

/** Whole fonts, for the letters that the display face does not have. */
const WHOLE_FONTS = { serif: 'DejaVuSerif', mono: 'DejaVuSansMono' } as const

/** The document's own font goes by its file: under another name the library would open that anew for each line. */
const SANS = file('DejaVuSans')

/** In which fonts a text is written: each letter in the first that has it. */
const FONTS = {
  display: ['latin', 'latin-ext', 'serif'],
  sans: [SANS],
  mono: ['mono'],
} as const satisfies Record<string, readonly (DisplayPart | keyof typeof WHOLE_FONTS | typeof SANS)[]>

/** How much of a line's free room lies left of it. */
const SHARE_LEFT = { center: 0.5, end: 1 } as const

interface Style {
  readonly font: keyof typeof FONTS
  /** Points. */
  readonly size: number
  readonly ink: Rgb
  readonly x: number
  readonly width: number
  readonly align?: 'center' | 'end'
  /** What would be longer ends in an ellipsis. */
  readonly lines?: number
}

/** One sheet that is being written: every word lies in a tag, in the order in which it is written. */
export interface Paper {
  panel(name: keyof typeof PANELS, write: () => void): void
  /** Writes upright from another corner than the sheet's own. */
  at(corner: { readonly x: number; readonly y: number }, write: () => void): void
  /** Goes on on another sheet, like the one before. */
  turn(): void
  write(tag: 'H1' | 'H2' | 'P', text: string, style: Style & { readonly y: number }): void
  /** A drawing, and what a screen reader says in its place. */
  draw(alternative: string, draw: (doc: PDFKit.PDFDocument) => void): void
  /** A drawing that says nothing. */
  adorn(draw: (doc: PDFKit.PDFDocument) => void): void
  heightOf(text: string, style: Style): number
  /** What of a text these fonts can write, or else all that names are written in: an emoji, say, would be an empty box. */
  writable(text: string, font?: Style['font']): string
  close(): Promise<Buffer>
}

interface Sheet {
  readonly language: Language
  readonly title: string
  readonly paper: Rgb
}

/** Opens an empty sheet in the theme's paper, with the marks where it folds. */
export const openPaper = (sheet: Sheet): Promise<Paper> => openSheet(sheet, 'folds')

/** Opens an empty sheet that is not folded; what is written stands from its own top left corner. */
export const openPage = (sheet: Sheet): Promise<Paper> => openSheet(sheet, 'nothing')

/** Opens an empty sheet with the lines along which it is cut into quarters; others follow. */
export const openSheets = (sheet: Sheet): Promise<Paper> => openSheet(sheet, 'cuts')

/** What is drawn on a sheet before anything is written. */
type Marks = 'folds' | 'cuts' | 'nothing'

function drawMarks(doc: PDFKit.PDFDocument, paper: Rgb, marks: Marks): void {
  const [across, down] = [SHEET.width / 2, SHEET.height / 2]
  doc.markContent('Artifact', { type: 'Page' })
  doc.rect(0, 0, SHEET.width, SHEET.height).fill([...paper])
  if (marks === 'folds') {
    doc.moveTo(across, 0).lineTo(across, FOLD_MARK).moveTo(0, down).lineTo(FOLD_MARK, down)
    doc.moveTo(across, SHEET.height).lineTo(across, SHEET.height - FOLD_MARK)
    doc.moveTo(SHEET.width, down).lineTo(SHEET.width - FOLD_MARK, down)
    doc.lineWidth(0.5).stroke('#888')
  }
  if (marks === 'cuts') {
    doc.moveTo(across, 0).lineTo(across, SHEET.height).moveTo(0, down).lineTo(SHEET.width, down)
    doc.lineWidth(0.5).dash(3, { space: 3 }).stroke('#888').undash()
  }
  doc.endMarkedContent()
}

/** The library is loaded here: most servers' days see no print. */
async function openSheet(sheet: Sheet, marks: Marks): Promise<Paper> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: [SHEET.width, SHEET.height],
    margin: 0,
    // The library's own default font would not be embedded.
    font: SANS,
    pdfVersion: '1.7',
    // Known to the library, not yet to its types.
    subset: 'PDF/UA' as 'PDF/A-1',
    tagged: true,
    lang: sheet.language,
    displayTitle: true,
    info: { Title: sheet.title },
  })
  const chunks: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', chunk => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  for (const [name, font] of Object.entries(WHOLE_FONTS)) doc.registerFont(name, file(font))
  for (const part of DISPLAY_PARTS) doc.registerFont(part, await displayFace(part))
  const root = doc.struct('Document')
  doc.addStructure(root)
  drawMarks(doc, sheet.paper, marks)

  const lines = createLines(doc)
  const linesOf = (text: string, { font, size, width, lines: most }: Style) =>
    lines(text, { fonts: FONTS[font], size, width, ...(most !== undefined && { most }) })
  return {
    panel(name, write) {
      const { x, y, turned } = PANELS[name]
      doc.save()
      doc.translate(x, y)
      if (turned) doc.rotate(180)
      write()
      doc.restore()
    },
    at({ x, y }, write) {
      doc.save()
      doc.translate(x, y)
      write()
      doc.restore()
    },
    turn() {
      doc.addPage()
      drawMarks(doc, sheet.paper, marks)
    },
    write(tag, text, style) {
      const { size, ink, x, y, width, align } = style
      const mark = () => {
        doc.fontSize(size).fillColor([...ink])
        const written = linesOf(text, style)
        for (const [index, line] of written.entries()) {
          let left = x + (width - line.width) * (align === undefined ? 0 : SHARE_LEFT[align])
          for (const [place, run] of line.runs.entries()) {
            // A space at the end keeps the words apart for whoever copies them, or hears them.
            const isEnd = place === line.runs.length - 1 && index < written.length - 1
            doc.font(run.font).text(isEnd ? `${run.text} ` : run.text, left, y + index * size * LINE_HEIGHT, {
              lineBreak: false,
            })
            left += run.width
          }
        }
      }
      root.add(doc.struct(tag, {}, mark))
    },
    draw: (alt, draw) => void root.add(doc.struct('Figure', { alt }, () => draw(doc))),
    adorn(draw) {
      doc.markContent('Artifact', { type: 'Layout' })
      draw(doc)
      doc.endMarkedContent()
    },
    heightOf: (text, style) => linesOf(text, style).length * style.size * LINE_HEIGHT,
    writable: (text, font) =>
      lines.writable(text, font === undefined ? [FONTS.display, FONTS.sans] : [FONTS[font]]),
    close() {
      root.end()
      doc.end()
      return written
    },
  }
}
