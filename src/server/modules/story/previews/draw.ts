import sharp, { type OutputInfo } from 'sharp'
import { ENVELOPE, ENVELOPE_BOX, envelopeShapes, themeColours } from '#domain/envelope.ts'
import type { Language } from '#domain/languages.ts'
import { hexOf, mixed, type Theme } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import type { PreviewKind } from '#paths'
import { DISPLAY_FACE, displayFaceFile } from './face.ts'

/** What messengers ask for. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

/** The sentence is as large as it may be on one line. */
const SENTENCE_PX = [84, 76, 68, 60, 52]
/** Small enough to be whole where a messenger cuts a square out of the middle. */
const ENVELOPE_WIDTH = 470
const ENVELOPE_TOP = 62
/** Their middles, px from the top. */
const SENTENCE_MIDDLE = 462
const NOTE_MIDDLE = 552
const NOTE_PX = 34
const TEXT_WIDTH = 1000

/** What each picture says. */
const WORDS = {
  gift: { line: 'preview-image-line', note: 'preview-image-note' },
  invitation: { line: 'preview-invitation-line', note: 'preview-invitation-note' },
} as const satisfies Readonly<Record<PreviewKind, object>>

/**
 * Draws the picture that a link unfolds with: the envelope in the theme's two colours, and the sentence of the gift or
 * the invitation. It says nothing of any one card.
 * @returns a PNG
 */
export async function drawPreview(
  theme: Theme,
  language: Language,
  kind: PreviewKind = 'gift',
): Promise<Buffer> {
  const { background: paper, text: ink } = theme
  const t = getT(language)
  const { width, height } = PREVIEW_SIZE
  const sentence = await drawLine(t(WORDS[kind].line), hexOf(ink))
  const note = await drawText(t(WORDS[kind].note), { size: NOTE_PX, colour: hexOf(mixed(ink, paper, 0.7)) })
  const envelope = Buffer.from(drawEnvelope(theme, ENVELOPE_WIDTH))
  const centred = ({ data, info }: { data: Buffer; info: OutputInfo }, middle: number) => ({
    input: data,
    left: Math.round((width - info.width) / 2),
    top: Math.round(middle - info.height / 2),
  })
  return sharp({ create: { width, height, channels: 3, background: hexOf(paper) } })
    .composite([
      { input: envelope, left: Math.round((width - ENVELOPE_WIDTH) / 2), top: ENVELOPE_TOP },
      centred(sentence, SENTENCE_MIDDLE),
      centred(note, NOTE_MIDDLE),
    ])
    .png({ compressionLevel: 9, palette: true, colours: 64 })
    .toBuffer()
}

/** The envelope as an SVG of its own. @param width px */
export function drawEnvelope(theme: Theme, width: number): string {
  const height = Math.round((width * ENVELOPE.height) / ENVELOPE.width)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${ENVELOPE_BOX}" width="${width}" height="${height}">${envelopeShapes(theme, themeColours(theme))}</svg>`
}

/** A text on one line, as large as it may be. */
async function drawLine(text: string, colour: string): Promise<{ data: Buffer; info: OutputInfo }> {
  for (const size of SENTENCE_PX) {
    const drawn = await drawText(text, { size, colour })
    // A second line begins where the first has no more room.
    if (drawn.info.height < size * 1.5) return drawn
  }
  throw new Error(`Too long for one line: ${text}`)
}

/** One line of the display face on nothing, as PNG. */
export async function drawText(
  text: string,
  { size, colour }: { size: number; colour: string },
): Promise<{ data: Buffer; info: OutputInfo }> {
  return sharp({
    text: {
      text: `<span foreground="${colour}">${text}</span>`,
      font: `${DISPLAY_FACE} ${size}px`,
      fontfile: await displayFaceFile(),
      width: TEXT_WIDTH,
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
}
