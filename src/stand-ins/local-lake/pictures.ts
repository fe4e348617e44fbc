import type { FitEnum, Sharp } from 'sharp'
import { openImage } from './images.ts'
import type { Format, Transform } from './transforms.ts'

/** Makes the picture asked for. Rejects when that cannot be, as with a part outside the picture. */
export async function transformed(bytes: Uint8Array, transform: Transform, format: Format): Promise<Buffer> {
  let image = openImage(bytes).autoOrient()
  if (transform.turn) image = openImage(await image.toBuffer()).rotate(transform.turn)
  if (transform.rect) image = extracted(image, transform.rect)
  image = await resized(image, transform)
  if (transform.flip.includes('h')) image = image.flop()
  if (transform.flip.includes('v')) image = image.flip()
  if (transform.blur !== undefined) image = image.blur(Math.max(0.3, transform.blur / 20))
  if (transform.sharpen) image = image.sharpen({ sigma: 0.5 + transform.sharpen / 50 })
  if (transform.background) image = image.flatten({ background: transform.background })
  return written(image, format, transform.quality)
}

function extracted(image: Sharp, [left = 0, top = 0, width = 1, height = 1]: readonly number[]): Sharp {
  return image.extract({ left, top, width: Math.max(1, width), height: Math.max(1, height) })
}

const SHARP_FITS: Readonly<Record<string, keyof FitEnum>> = {
  clip: 'inside',
  max: 'inside',
  crop: 'cover',
  min: 'cover',
  fill: 'contain',
  fillmax: 'contain',
  scale: 'fill',
}
const NEVER_ENLARGES: ReadonlySet<string> = new Set(['max', 'min', 'fillmax'])

async function resized(image: Sharp, transform: Transform): Promise<Sharp> {
  const { width, height, fit, crop, focus } = transform
  if (width === undefined && height === undefined) return image
  if (fit === 'crop' && crop === 'focalpoint' && width !== undefined && height !== undefined)
    return aroundFocus(image, width, height, focus)
  const position = crop === 'entropy' ? 'entropy' : crop === 'focalpoint' ? 'center' : crop
  return image.resize({
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    fit: SHARP_FITS[fit] ?? 'inside',
    position,
    withoutEnlargement: NEVER_ENLARGES.has(fit),
    background: transform.background ?? { r: 0, g: 0, b: 0, alpha: 0 },
  })
}

/** The largest part of the wanted shape whose middle is as near to the focal point as the edges allow. */
async function aroundFocus(
  image: Sharp,
  width: number,
  height: number,
  [x, y]: readonly [number, number],
): Promise<Sharp> {
  const { data, info } = await image.png({ compressionLevel: 0 }).toBuffer({ resolveWithObject: true })
  const scale = Math.min(info.width / width, info.height / height)
  const part = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const start = (at: number, length: number, whole: number) =>
    Math.round(Math.min(Math.max(at * whole - length / 2, 0), whole - length))
  const left = start(x, part.width, info.width)
  const top = start(y, part.height, info.height)
  return openImage(data)
    .extract({ left, top, ...part })
    .resize({ width, height, fit: 'fill' })
}

function written(image: Sharp, format: Format, quality: number): Promise<Buffer> {
  switch (format) {
    case 'jpg':
      return image.jpeg({ quality, progressive: true }).toBuffer()
    case 'webp':
      return image.webp({ quality }).toBuffer()
    case 'avif':
      return image.avif({ quality: Math.min(quality, 65), effort: 2 }).toBuffer()
    case 'gif':
      return image.gif().toBuffer()
    case 'png':
      return image.png().toBuffer()
  }
}
