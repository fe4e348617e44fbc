import sharp, { type OutputInfo } from 'sharp'
import type { Language } from '#domain/languages.ts'
import { type Rgb, THEMES, type ThemeId } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import type { PreviewKind } from '#paths'
import { DISPLAY_FACE, displayFaceFile } from './face.ts'

/** What messengers ask for. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const

/** The sentence is as large as it may be on one line. */
const SENTENCE_PX = [92, 84, 76, 68, 60, 52]
/** Between the letter's flap and the note, px from the top. */
const SENTENCE_MIDDLE = 360
const NOTE_PX = 36
const TEXT_WIDTH = 980

const hex = (colour: Rgb): string =>
  `#${colour.map(channel => channel.toString(16).padStart(2, '0')).join('')}`

/** The ink thinned with paper, as `color-mix` does it on the pages. */
const mix = (ink: Rgb, paper: Rgb, share: number): Rgb =>
  ink.map((channel, index) => Math.round(channel * share + paper[index]! * (1 - share))) as unknown as Rgb

/** What each picture says. */
const WORDS = {
  gift: { line: 'preview-image-line', note: 'preview-image-note' },
  invitation: { line: 'preview-invitation-line', note: 'preview-invitation-note' },
} as const satisfies Readonly<Record<PreviewKind, object>>

/**
 * Draws the picture that a link unfolds with: a closed letter in the theme's two colours, and the sentence of the
 * gift or the invitation. It says nothing of any one card.
 * @returns a PNG
 */
export async function drawPreview(
  theme: ThemeId,
  language: Language,
  kind: PreviewKind = 'gift',
): Promise<Buffer> {
  const { background: paper, text: ink } = THEMES[theme]
  const t = getT(language)
  const { width, height } = PREVIEW_SIZE
  const sentence = await drawLine(t(WORDS[kind].line), hex(ink))
  const note = await drawText(t(WORDS[kind].note), {
    size: NOTE_PX,
    colour: hex(mix(ink, paper, 0.7)),
  })
  const line = hex(mix(ink, paper, 0.26))
  const letter = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="none" stroke="${line}" stroke-width="3">
    <rect x="48" y="48" width="1104" height="534" rx="20"/>
    <path d="M54 56 L582 262 Q600 269 618 262 L1146 56"/>
  </svg>`
  return sharp({ create: { width, height, channels: 3, background: hex(paper) } })
    .composite([
      { input: Buffer.from(letter) },
      {
        input: sentence.data,
        left: Math.round((width - sentence.info.width) / 2),
        top: SENTENCE_MIDDLE - Math.round(sentence.info.height / 2),
      },
      { input: note.data, left: Math.round((width - note.info.width) / 2), top: 468 },
    ])
    .png({ compressionLevel: 9, palette: true, colours: 64 })
    .toBuffer()
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
