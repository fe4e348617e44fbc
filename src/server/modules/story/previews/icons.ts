import sharp from 'sharp'
import { ENVELOPE, themeColours } from '#domain/envelope.ts'
import { PLAIN_THEME } from '#domain/themes.ts'

/** Side of the icon in the envelope's own units; where a phone cuts it to its own shape, the middle alone is safe. */
const SIDE = 380
const MASKABLE_SIDE = 500
/** Between flap and envelope, in the envelope's own units. */
const GAP = 11
/** How round a browser's tab shows it; phones round the others themselves. */
const CORNER = 84

/**
 * The site's icon: the envelope as it reads at any size, its flap set off by a gap. @param size px
 * @returns a PNG
 */
export function drawIcon(size: number, { maskable = false, rounded = false } = {}): Promise<Buffer> {
  return sharp(Buffer.from(iconShapes(size, { maskable, rounded })))
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()
}

/** The same as an SVG. */
export function iconShapes(size: number, { maskable = false, rounded = false } = {}): string {
  const { paper, ink } = themeColours(PLAIN_THEME)
  const { width, height, body, flap } = ENVELOPE
  const side = maskable ? MASKABLE_SIDE : SIDE
  const corner = rounded ? ` rx="${CORNER}"` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${size}" height="${size}"><rect width="${side}" height="${side}"${corner} fill="${ink}"/><g transform="translate(${(side - width) / 2} ${(side - height) / 2})"><path fill="${paper}" d="${body}"/><path fill="${paper}" stroke="${ink}" stroke-width="${GAP}" d="${flap}"/></g></svg>`
}

const ICO_HEADER = 22

/** One PNG as an ICO file, for those who ask for /favicon.ico. @param size px, below 256 */
export function icoOf(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(ICO_HEADER)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(ICO_HEADER, 18)
  return Buffer.concat([head, png])
}
