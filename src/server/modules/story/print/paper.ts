import { fileURLToPath } from 'node:url'
import type { Language } from '#domain/languages.ts'
import type { Rgb } from '#domain/themes.ts'

/** A4 in points, and the A6 panels that it folds into. */
const SHEET = { width: 595.28, height: 841.89 }
export const PANEL = { width: SHEET.width / 2, height: SHEET.height / 2 }

/** How long the marks are that show where to fold, points; longer than the margin that home printers leave blank. */
const FOLD_MARK = 24

/** Where a panel's own top left corner lies on the sheet, and whether it stands on its head. */
const PANELS = {
  cover: { x: PANEL.width, y: PANEL.height, turned: false },
  back: { x: 0, y: PANEL.height, turned: false },
  'inside-left': { x: SHEET.width, y: PANEL.height, turned: true },
  'inside-right': { x: PANEL.width, y: PANEL.height, turned: true },
} as const

const file = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

/** Each a whole font: those made for the web are split by script and lose letters of names. */
const FONTS = { serif: 'DejaVuSerif', sans: 'DejaVuSans', mono: 'DejaVuSansMono' } as const

interface Style {
  readonly font: keyof typeof FONTS
  /** Points. */
  readonly size: number
  readonly ink: Rgb
  readonly x: number
  readonly width: number
  readonly align?: 'center'
  /** What would be longer ends in an ellipsis. */
  readonly lines?: number
}

/** One sheet that is being written: every word lies in a tag, in the order in which it is written. */
export interface Paper {
  panel(name: keyof typeof PANELS, write: () => void): void
  write(tag: 'H1' | 'H2' | 'P', text: string, style: Style & { readonly y: number }): void
  /** A drawing, and what a screen reader says in its place. */
  draw(alternative: string, draw: (doc: PDFKit.PDFDocument) => void): void
  heightOf(text: string, style: Style): number
  /** What of a text the fonts can write: an emoji, say, would be an empty box. */
  writable(text: string): string
  close(): Promise<Buffer>
}

/** Opens an empty sheet in the theme's paper. The library is loaded here: most servers' days see no print. */
export async function openPaper(sheet: { language: Language; title: string; paper: Rgb }): Promise<Paper> {
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: [SHEET.width, SHEET.height],
    margin: 0,
    // The library's own default font would not be embedded.
    font: file(FONTS.sans),
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
  for (const [name, font] of Object.entries(FONTS)) doc.registerFont(name, file(font))
  const root = doc.struct('Document')
  doc.addStructure(root)
  doc.markContent('Artifact', { type: 'Page' })
  doc.rect(0, 0, SHEET.width, SHEET.height).fill([...sheet.paper])
  const [across, down] = [SHEET.width / 2, SHEET.height / 2]
  doc.moveTo(across, 0).lineTo(across, FOLD_MARK).moveTo(0, down).lineTo(FOLD_MARK, down)
  doc.moveTo(across, SHEET.height).lineTo(across, SHEET.height - FOLD_MARK)
  doc.moveTo(SHEET.width, down).lineTo(SHEET.width - FOLD_MARK, down)
  doc.lineWidth(0.5).stroke('#888')
  doc.endMarkedContent()

  const prepare = ({ font, size, ink }: Style) =>
    doc
      .font(font)
      .fontSize(size)
      .fillColor([...ink])
  const options = ({ width, align, lines, size }: Style) => ({
    width,
    lineGap: size * 0.15,
    ...(align && { align }),
    ...(lines !== undefined && { height: lines * size * 1.4, ellipsis: true }),
  })
  return {
    panel(name, write) {
      const { x, y, turned } = PANELS[name]
      doc.save()
      doc.translate(x, y)
      if (turned) doc.rotate(180)
      write()
      doc.restore()
    },
    write(tag, text, style) {
      const mark = () => void prepare(style).text(text, style.x, style.y, options(style))
      root.add(doc.struct(tag, {}, mark))
    },
    draw: (alt, draw) => void root.add(doc.struct('Figure', { alt }, () => draw(doc))),
    heightOf: (text, style) => prepare(style).heightOfString(text, options(style)),
    writable(text) {
      const has = Object.keys(FONTS)
        .filter(name => name !== 'mono')
        .map(name => glyphsOf(doc.font(name)))
      const kept = [...text].filter(letter =>
        has.every(font => font.hasGlyphForCodePoint(letter.codePointAt(0)!)),
      )
      return kept.join('').replace(/\s+/g, ' ').trim()
    },
    close() {
      root.end()
      doc.end()
      return written
    },
  }
}

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** The open font behind the one that is chosen; the library's types do not show it. */
const glyphsOf = (doc: PDFKit.PDFDocument): Glyphs =>
  (doc as unknown as { _font: { font: Glyphs } })._font.font
