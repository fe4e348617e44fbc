import sharp, { type Sharp } from 'sharp'
import { refusal } from './errors.ts'

/** What an upload turned out to be, for its document. */
export interface ImageFacts {
  readonly extension: string
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly metadata: object
}

/** Formats of `sharp` that are taken, with the extension and type of the hosted API. */
const FORMATS: Readonly<Record<string, { extension: string; mimeType: string }>> = {
  jpeg: { extension: 'jpg', mimeType: 'image/jpeg' },
  png: { extension: 'png', mimeType: 'image/png' },
  webp: { extension: 'webp', mimeType: 'image/webp' },
  gif: { extension: 'gif', mimeType: 'image/gif' },
  heif: { extension: 'avif', mimeType: 'image/avif' },
  tiff: { extension: 'tiff', mimeType: 'image/tiff' },
  svg: { extension: 'svg', mimeType: 'image/svg+xml' },
}

/** A small file can unfold to more than the memory there is. */
const MOST_PIXELS = 120_000_000

const SIDE_OF_A_GLANCE = 128

// The site shares the machine and the memory.
sharp.cache(false)
sharp.concurrency(1)

export function openImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
}

/** Looks an upload over. Refuses what is no image, whatever its name says. */
export async function factsOf(bytes: Uint8Array): Promise<ImageFacts> {
  try {
    const { format, autoOrient, hasAlpha = false } = await openImage(bytes).metadata()
    const known = format && FORMATS[format]
    if (!known) throw new Error(`${format} is no format for pictures here`)
    const { width, height } = autoOrient
    // Photographs are read at an eighth of their size: the colour of most of it needs no more, and is there sooner.
    const glance = await openImage(bytes).autoOrient().resize({ width: SIDE_OF_A_GLANCE }).png().toBuffer()
    const { dominant } = await openImage(glance).stats()
    const isOpaque = !hasAlpha || (await openImage(bytes).stats()).isOpaque
    const small = await openImage(glance).resize({ width: 20 }).jpeg({ quality: 60 }).toBuffer()
    return {
      ...known,
      width,
      height,
      metadata: {
        _type: 'sanity.imageMetadata',
        dimensions: { _type: 'sanity.imageDimensions', width, height, aspectRatio: width / height },
        hasAlpha,
        isOpaque,
        lqip: `data:image/jpeg;base64,${small.toString('base64')}`,
        palette: { _type: 'sanity.imagePalette', dominant: swatch(dominant) },
      },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason.includes('pixel limit'))
      throw refusal(400, 'The picture has more than 120 million pixels: make it smaller, and send it again')
    throw refusal(400, `This file is not a picture that can be read (JPEG, PNG, WebP or AVIF): ${reason}`)
  }
}

function swatch({ r, g, b }: { r: number; g: number; b: number }): object {
  const hex = (parts: readonly number[]) =>
    `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
  const bright = 0.299 * r + 0.587 * g + 0.114 * b > 150
  const foreground = bright ? '#000' : '#fff'
  return {
    _type: 'sanity.imagePaletteSwatch',
    background: hex([r, g, b]),
    foreground,
    title: foreground,
    population: 1,
  }
}
