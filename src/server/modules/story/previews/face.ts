import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** The display face of the pages. The comma ends the family's name: without it the last word is read as a weight. */
export const DISPLAY_FACE = 'Noto Serif Display Medium,'

/** The face is published in parts, each with the letters of some languages. */
export const DISPLAY_PARTS = ['latin', 'latin-ext'] as const

export type DisplayPart = (typeof DISPLAY_PARTS)[number]

let file: string | undefined

/**
 * The display face as a TrueType file, which is what the drawing library can load. One file for the life of the
 * process, since the library remembers where it found a face.
 */
export async function displayFaceFile(): Promise<string> {
  if (file) return file
  const face = await displayFace('latin')
  const folder = mkdtempSync(join(tmpdir(), 'face-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  file = join(folder, 'display.ttf')
  writeFileSync(file, face)
  return file
}

/** A part of the display face as TrueType. */
export async function displayFace(part: DisplayPart): Promise<Buffer> {
  const name = `@fontsource/noto-serif-display/files/noto-serif-display-${part}-500-normal.woff`
  return trueTypeOf(await readFile(createRequire(import.meta.url).resolve(name)))
}

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/** Unpacks a WOFF 1 file: the same tables, each deflated, behind a longer directory. */
export function trueTypeOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const power = Math.floor(Math.log2(count))
  const head = Buffer.alloc(SFNT_HEADER + SFNT_ENTRY * count)
  head.writeUInt32BE(woff.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(SFNT_ENTRY * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(SFNT_ENTRY * (count - 2 ** power), 10)
  const parts: Uint8Array[] = [head]
  let offset = head.length
  for (let index = 0; index < count; index++) {
    const from = WOFF_HEADER + WOFF_ENTRY * index
    const to = SFNT_HEADER + SFNT_ENTRY * index
    const start = woff.readUInt32BE(from + 4)
    const packed = woff.subarray(start, start + woff.readUInt32BE(from + 8))
    const length = woff.readUInt32BE(from + 12)
    const table = packed.length < length ? inflateSync(packed) : packed
    woff.copy(head, to, from, from + 4)
    head.writeUInt32BE(woff.readUInt32BE(from + 16), to + 4)
    head.writeUInt32BE(offset, to + 8)
    head.writeUInt32BE(length, to + 12)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    offset += length + padding.length
  }
  return Buffer.concat(parts)
}
