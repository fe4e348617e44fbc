import { createRequire } from 'node:module'
import type { Language } from '#domain/languages.ts'
import { displayFace } from '../previews/face.ts'

export type Book = PDFKit.PDFDocument
export type Structure = PDFKit.PDFStructureElement

/** The faces of a book, in the order in which they are opened: the display face's parts, and one that has every letter. */
export const FACES = ['latin', 'latin-ext', 'whole'] as const

const WHOLE = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf')

/** What pdfkit keeps of the font that is set; its own types do not name it. */
interface EmbeddedFont {
  readonly id: string
  ref(): unknown
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

/** The font behind a face of the photo-book, which the PDF library keeps to itself. */
export function openFont(document: Book, face: (typeof FACES)[number]): EmbeddedFont {
  return (document.font(face) as unknown as { _font: EmbeddedFont })._font
}

/** Gives every glyph of a face its own number as its place in the file, whatever is written with it first. */
export function fixGlyphs(document: Book, face: (typeof FACES)[number]): void {
  const { font, subset } = openFont(document, face)
  for (let id = 1; id < font.numGlyphs; id++) subset.includeGlyph(id)
}

/** The faces that a page may be drawn with, named in it whether or not it uses them yet. */
export function nameFaces(document: Book): void {
  const { fonts } = document.page as unknown as { fonts: Record<string, unknown> }
  for (const face of FACES) {
    const font = openFont(document, face)
    fonts[font.id] ??= font.ref()
  }
}

/**
 * An empty book whose faces are open. Two of them write the same letters by the same numbers, so that a page of one can
 * stand in the other.
 */
export async function openBook(
  { language, title, author }: { language: Language; title: string; author: string },
  { isDraft = false } = {},
): Promise<Book> {
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin: 0,
    autoFirstPage: false,
    font: WHOLE,
    tagged: true,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    // What is not going to be a file of its own is read as it was drawn.
    compress: !isDraft,
    bufferPages: isDraft,
    info: { Title: title, Author: author },
  })
  document.registerFont('latin', await displayFace('latin'))
  document.registerFont('latin-ext', await displayFace('latin-ext'))
  document.registerFont('whole', WHOLE)
  for (const face of FACES) fixGlyphs(document, face)
  return document
}
