import sharp, { type Sharp } from 'sharp'
import { type Picture, type PictureFormat, shownSize } from '#domain/images/picture.ts'

// One picture at a time, with no more than one thread: the site shares the machine.
sharp.cache(false)
sharp.concurrency(1)

const MOST_PIXELS = 120_000_000
/** What a picture may weigh on a phone. */
const MOST_BYTES = 60_000
const FIRST_QUALITY: Readonly<Record<PictureFormat, number>> = { avif: 56, webp: 78, jpg: 78 }
const LEAST_QUALITY = 30
const QUALITY_STEP = 12

/** Writes a picture anew: what its crop leaves of it, upright, no wider than asked and as good as 60 kB allow. */
export async function encodePicture(
  bytes: Buffer,
  picture: Picture,
  { width, format }: { readonly width: number; readonly format: PictureFormat },
): Promise<Buffer> {
  const drawn = await cropped(bytes, picture)
    .resize({ width, withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let quality = FIRST_QUALITY[format]; ; quality -= QUALITY_STEP) {
    const { width, height, channels } = drawn.info
    const page = sharp(drawn.data, { raw: { width, height, channels } })
    const written = await encoded(page, format, quality)
    if (written.length <= MOST_BYTES || quality - QUALITY_STEP < LEAST_QUALITY) return written
  }
}

/** Upright and cropped; sizes follow from the picture's own name, which the lake writes after turning it. */
export function cropped(bytes: Buffer, picture: Picture): Sharp {
  const upright = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' }).autoOrient()
  const { crop } = picture
  if (crop.top + crop.bottom + crop.left + crop.right === 0) return upright
  const whole = shownSize({ ...picture, crop: { top: 0, bottom: 0, left: 0, right: 0 } })
  const { width, height } = shownSize(picture)
  return upright.extract({
    left: Math.min(whole.width - width, Math.round(whole.width * crop.left)),
    top: Math.min(whole.height - height, Math.round(whole.height * crop.top)),
    width,
    height,
  })
}

function encoded(page: Sharp, format: PictureFormat, quality: number): Promise<Buffer> {
  if (format === 'avif') return page.avif({ quality, effort: 3 }).toBuffer()
  if (format === 'webp') return page.webp({ quality }).toBuffer()
  return page.jpeg({ quality, mozjpeg: true }).toBuffer()
}
