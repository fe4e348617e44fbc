import { mixed, PLAIN_THEME, type Rgb, type Theme } from '#domain/themes.ts'
import { drawEnvelope } from '../print/envelope.ts'
import { createLines } from '../print/lines.ts'
import { type Book, FACES, nameFaces, type Structure } from './faces.ts'
import type { OwnTexts } from './job.ts'

/** The pages that say whose book it is, in the order in which they come. */
export const DEDICATED_PAGES = ['cover', 'first', 'last'] as const
export type DedicatedPage = (typeof DEDICATED_PAGES)[number]

/** What they say, and in which colours. */
export interface Dedication extends OwnTexts {
  readonly theme: Theme
}

/** Of a book that is nobody's yet. */
export const drawnAs = (texts: { readonly own: OwnTexts }): Dedication => ({
  ...texts.own,
  theme: PLAIN_THEME,
})

/** Points. */
const COLUMN = 520
const ENVELOPE_WIDTH = 196
const TITLE_PT = 44
const LEAD_PT = 20
const TEXT_PT = 22
const SMALL_PT = 11
const LINE_HEIGHT = 1.32
const SOFT_INK = 0.72

/** Adds one of them to a book. Each has the same tags whatever it says, so that it can be drawn anew. */
export function drawDedicated(
  document: Book,
  root: Structure,
  page: DedicatedPage,
  dedication: Dedication,
): void {
  document.addPage()
  nameFaces(document)
  const { background, text: ink } = dedication.theme
  const soft = mixed(ink, background, SOFT_INK)
  const { width, height } = document.page
  document.markContent('Artifact', { type: 'Page' })
  document.rect(0, 0, width, height).fill([...background])
  if (page === 'cover')
    drawEnvelope(document, dedication.theme, {
      left: (width - ENVELOPE_WIDTH) / 2,
      top: 92,
      width: ENVELOPE_WIDTH,
    })
  document.endMarkedContent()
  const linesOf = createLines(document)
  const write = (tag: 'H1' | 'P', words: string, size: number, top: number, colour: Rgb = ink): number => {
    const lines = linesOf(linesOf.writable(words, [FACES]), { fonts: FACES, size, width: COLUMN, most: 5 })
    root.add(
      document.struct(tag, {}, () => {
        document.fontSize(size).fillColor([...colour])
        for (const [index, line] of lines.entries()) {
          let left = (width - line.width) / 2
          for (const [place, run] of line.runs.entries()) {
            const isEnd = place === line.runs.length - 1 && index < lines.length - 1
            document
              .font(run.font)
              .text(isEnd ? `${run.text} ` : run.text, left, top + index * size * LINE_HEIGHT, {
                lineBreak: false,
              })
            left += run.width
          }
        }
      }),
    )
    return top + lines.length * size * LINE_HEIGHT
  }
  const { title, giver, mission, opening, closing, colophon } = dedication
  if (page === 'cover') {
    const below = write('H1', title, TITLE_PT, 262)
    const next = write('P', giver, LEAD_PT, below + 10)
    write('P', mission, SMALL_PT + 3, Math.max(next + 34, 430), soft)
  } else if (page === 'first') write('P', opening, TEXT_PT, 222)
  else {
    const below = write('P', closing, TEXT_PT, 206)
    write('P', colophon, SMALL_PT, Math.max(below + 40, 470), soft)
  }
}
