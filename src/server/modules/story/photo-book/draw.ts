import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pipeline } from 'node:stream/promises'
import PDFDocument from 'pdfkit'
import type { BookTexts, PageTexts } from './job.ts'

/** A photo ready for its page: a JPEG and its size in px. */
export interface PagePhoto {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Points: 1/72 inch. */
const MARGIN = 48
const CAPTION_PT = 17
const CREDIT_PT = 9.5
const TEXT_HEIGHT = 62
const INK = '#1d1d1b'
const QUIET = '#5c5c58'
const FACE = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf')

/**
 * Writes a book: one photo to a page, A4 landscape, with its caption and credit below. Tagged, with the alternative
 * texts, so that it can be read aloud. The file appears under its name only once it is whole.
 * @param photos in the order of the texts; null for one that could not be had, whose page is left out
 */
export async function drawBook(
  file: string,
  texts: BookTexts,
  photos: readonly (PagePhoto | null)[],
): Promise<void> {
  const document = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: MARGIN,
    autoFirstPage: false,
    tagged: true,
    pdfVersion: '1.7',
    lang: texts.language,
    displayTitle: true,
    info: { Title: texts.title, Author: texts.author },
  })
  const draft = `${file}.tmp`
  const written = pipeline(document as unknown as NodeJS.ReadableStream, createWriteStream(draft))
  document.registerFont('book', FACE)
  document.font('book')
  const root = document.struct('Document')
  document.addStructure(root)
  for (const [index, photo] of photos.entries()) {
    const page = texts.pages[index]
    if (photo && page) drawPage(document, root, photo, page)
  }
  root.end()
  embedWhole(document)
  document.end()
  await written
  await rename(draft, file)
}

type Book = PDFKit.PDFDocument
type Structure = PDFKit.PDFStructureElement

function drawPage(document: Book, root: Structure, photo: PagePhoto, texts: PageTexts): void {
  document.addPage()
  const { width, height } = document.page
  const room = { width: width - 2 * MARGIN, height: height - 2 * MARGIN - TEXT_HEIGHT }
  const scale = Math.min(room.width / photo.width, room.height / photo.height)
  const size = { width: photo.width * scale, height: photo.height * scale }
  const left = (width - size.width) / 2
  const top = MARGIN + (room.height - size.height) / 2
  const section = document.struct('Sect')
  root.add(section)
  section.add(
    document.struct('Figure', { alt: texts.alt }, () => {
      document.image(photo.bytes, left, top, size)
    }),
  )
  const below = top + size.height + 18
  const line = (
    tag: 'H1' | 'P',
    text: string,
    y: number,
    pt: number,
    colour: string,
    align: 'left' | 'right',
  ) =>
    section.add(
      document.struct(tag, {}, () => {
        document
          .fontSize(pt)
          .fillColor(colour)
          .text(text, MARGIN, y, {
            width: room.width,
            align,
            lineBreak: true,
            height: pt * 2.6,
            ellipsis: true,
          })
      }),
    )
  line('H1', texts.caption, below, CAPTION_PT, INK, 'left')
  line('P', texts.credit, below + CAPTION_PT * 1.5, CREDIT_PT, QUIET, 'left')
  line('P', texts.number, below + CAPTION_PT * 1.5, CREDIT_PT, QUIET, 'right')
  section.end()
}

/** What pdfkit keeps of the font that is set; its own types do not name it. */
interface EmbeddedFont {
  readonly font: {
    readonly numGlyphs: number
    readonly characterSet: readonly number[]
    getGlyph(id: number): { readonly advanceWidth: number }
    glyphForCodePoint(codePoint: number): { readonly id: number }
  }
  readonly subset: { includeGlyph(id: number): number }
  /** By the glyph's place in the file: the characters that it stands for. */
  readonly unicode: (readonly number[])[]
  readonly widths: number[]
  readonly scale: number
}

/** Puts every letter of the face into the file, not only those that the book uses: it may be edited or translated. */
function embedWhole(document: Book): void {
  const { font, subset, unicode, widths, scale } = (document as unknown as { _font: EmbeddedFont })._font
  const letters = new Map(font.characterSet.map(code => [font.glyphForCodePoint(code).id, code]))
  for (let id = 1; id < font.numGlyphs; id++) {
    const place = subset.includeGlyph(id)
    widths[place] ??= font.getGlyph(id).advanceWidth * scale
    unicode[place] ??= [letters.get(id) ?? 0xfffd]
  }
}
