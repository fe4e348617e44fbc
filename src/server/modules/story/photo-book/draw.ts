import { createWriteStream } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type DedicatedPage, drawDedicated, drawnAs } from './dedicated-pages.ts'
import { type Book, FACES, fixGlyphs, openBook, openFont, type Structure } from './faces.ts'
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
const CREDIT_PT = 10
const TEXT_HEIGHT = 62
const INK = '#1d1d1b'
const QUIET = '#5c5c58'

/** The file beside a book that names the objects of the pages that are drawn for each invitation. */
export const dedicatedBeside = (file: string): string => `${file}.dedicated.json`

/**
 * Writes a book: a cover and a first page, one photo to a page with its caption and credit on the photo's own grid, a
 * last page. A4 landscape, tagged, with the alternative texts, so that it can be read aloud. The file appears under its
 * name only once it is whole.
 * @param photos in the order of the texts; null for one that could not be had, whose page is left out
 */
export async function drawBook(
  file: string,
  texts: BookTexts,
  photos: readonly (PagePhoto | null)[],
): Promise<void> {
  const document = await openBook(texts)
  const draft = `${file}.tmp`
  const written = pipeline(document as unknown as NodeJS.ReadableStream, createWriteStream(draft))
  const root = document.struct('Document')
  document.addStructure(root)
  const dedicated: number[] = []
  const drawOwn = (page: DedicatedPage): void => {
    drawDedicated(document, root, page, drawnAs(texts))
    dedicated.push((document.page as unknown as { content: { id: number } }).content.id)
  }
  drawOwn('cover')
  drawOwn('first')
  for (const [index, photo] of photos.entries()) {
    const page = texts.pages[index]
    if (photo && page) drawPage(document, root, photo, page)
  }
  drawOwn('last')
  root.end()
  for (const face of FACES) embedWhole(document, face)
  document.end()
  await written
  await writeFile(dedicatedBeside(file), JSON.stringify(dedicated))
  await rename(draft, file)
}

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
          .font('whole')
          .fontSize(pt)
          .fillColor(colour)
          .text(text, left, y, {
            width: size.width,
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

/** Puts every letter of a face into the file, not only those that the book uses: it may be edited or translated. */
function embedWhole(document: Book, face: (typeof FACES)[number]): void {
  fixGlyphs(document, face)
  const { font, unicode, widths, scale } = openFont(document, face)
  const letters = new Map(font.characterSet.map(code => [font.glyphForCodePoint(code).id, code]))
  for (let id = 1; id < font.numGlyphs; id++) {
    widths[id] ??= font.getGlyph(id).advanceWidth * scale
    unicode[id] ??= [letters.get(id) ?? 0xfffd]
  }
}
