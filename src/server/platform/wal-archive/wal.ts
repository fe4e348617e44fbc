import type { FileHandle } from 'node:fs/promises'

/** SQLite's file format, section 4: a header, then frames of a header and one page each. Numbers are big-endian. */
const HEADER = 32
const FRAME_HEADER = 24
const MAGIC = 0x377f0682

/**
 * A place in a write-ahead log, after some of its frames. SQLite draws the salts anew each time that it begins the log
 * from its start, and each sum is over everything before it: equal places have equal logs before them.
 */
export interface Position {
  /** Both salts, hex; empty before the first frame of a log that does not exist yet. */
  readonly salts: string
  readonly frames: number
  /** Both sums, hex. */
  readonly sums: string
}

/** Where there is no log yet. */
export const NOWHERE: Position = { salts: '', frames: 0, sums: '' }

/** Frames of whole transactions, one after the other as the log has them. */
export interface Frames {
  readonly bytes: Buffer
  readonly pageSize: number
  readonly from: Position
  readonly to: Position
  /** How long the database is after them, in pages. */
  readonly pages: number
  /** Was there more than is read at once? */
  readonly isCut: boolean
}

const hex = (first: number, second: number): string =>
  [first, second].map(word => (word >>> 0).toString(16).padStart(8, '0')).join('')

const IS_LITTLE = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1

/** SQLite's sum over words of four bytes, whose order the header names. */
function sumOver(bytes: Buffer, [one, other]: readonly [number, number], isBig: boolean): [number, number] {
  // Copied, since an array of words begins at a multiple of four.
  const own = Buffer.from(bytes)
  if (isBig === IS_LITTLE) own.swap32()
  const words = new Uint32Array(own.buffer, own.byteOffset, own.length / 4)
  let s0 = one
  let s1 = other
  for (let n = 0; n < words.length; n += 2) {
    s0 = (s0 + words[n]! + s1) >>> 0
    s1 = (s1 + words[n + 1]! + s0) >>> 0
  }
  return [s0, s1]
}

interface Header {
  readonly pageSize: number
  readonly isBig: boolean
  /** Before the first frame. */
  readonly start: Position
}

/** The header of a log; undefined where it is empty, or its header is not whole. */
async function headerOf(file: FileHandle): Promise<Header | undefined> {
  const bytes = Buffer.alloc(HEADER)
  const { bytesRead } = await file.read(bytes, 0, HEADER, 0)
  if (bytesRead < HEADER) return undefined
  const magic = bytes.readUInt32BE(0)
  if ((magic & ~1) >>> 0 !== MAGIC) return undefined
  const isBig = (magic & 1) === 1
  const [s0, s1] = sumOver(bytes.subarray(0, 24), [0, 0], isBig)
  if (s0 !== bytes.readUInt32BE(24) || s1 !== bytes.readUInt32BE(28)) return undefined
  const salts = bytes.subarray(16, 24).toString('hex')
  return { pageSize: bytes.readUInt32BE(8), isBig, start: { salts, frames: 0, sums: hex(s0, s1) } }
}

/** The place before the first frame of the log as it is now; NOWHERE while it is empty. */
export async function startOf(file: FileHandle): Promise<Position> {
  return (await headerOf(file))?.start ?? NOWHERE
}

/** Is the log still the one that this is a place of, unchanged before it? */
export async function isIn(file: FileHandle, { salts, frames, sums }: Position): Promise<boolean> {
  const header = await headerOf(file)
  if (header === undefined || header.start.salts !== salts) return false
  if (frames === 0) return header.start.sums === sums
  const bytes = Buffer.alloc(FRAME_HEADER)
  await file.read(bytes, 0, FRAME_HEADER, offsetOf(frames - 1, header.pageSize))
  return bytes.subarray(8, 16).toString('hex') === salts && bytes.subarray(16).toString('hex') === sums
}

const offsetOf = (frames: number, pageSize: number): number => HEADER + frames * (FRAME_HEADER + pageSize)

/** So much is read at once; of a transaction that is longer, all of it. */
const CHUNK_BYTES = 16 * 1024 * 1024

/**
 * The frames after a place of this log, up to the last one that ends a transaction. A frame that is half written, or
 * left over from before the log began anew, has not the right salts and sums: what is read ends before it.
 * @returns undefined where nothing came after it
 */
export async function framesAfter(file: FileHandle, from: Position): Promise<Frames | undefined> {
  const header = await headerOf(file)
  if (header === undefined || header.start.salts !== from.salts) return undefined
  const offset = offsetOf(from.frames, header.pageSize)
  for (let length = CHUNK_BYTES; ; length *= 2) {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, (await file.stat()).size - offset)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
    const found = wholeTransactions(bytes.subarray(0, bytesRead), header, from)
    const isCut = bytesRead === length
    if (found !== undefined) return { ...found, isCut }
    if (!isCut) return undefined
  }
}

function wholeTransactions(bytes: Buffer, header: Header, from: Position): Omit<Frames, 'isCut'> | undefined {
  const { pageSize, isBig } = header
  const size = FRAME_HEADER + pageSize
  let sums: [number, number] = [
    Number.parseInt(from.sums.slice(0, 8), 16),
    Number.parseInt(from.sums.slice(8), 16),
  ]
  let found: Omit<Frames, 'isCut'> | undefined
  for (let n = 0; (n + 1) * size <= bytes.length; n++) {
    const frame = bytes.subarray(n * size, (n + 1) * size)
    if (frame.subarray(8, 16).toString('hex') !== from.salts) break
    sums = sumOver(frame.subarray(FRAME_HEADER), sumOver(frame.subarray(0, 8), sums, isBig), isBig)
    if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) break
    const pages = frame.readUInt32BE(4)
    if (pages === 0) continue
    const to = { salts: from.salts, frames: from.frames + n + 1, sums: hex(...sums) }
    found = { bytes: bytes.subarray(0, (n + 1) * size), pageSize, from, to, pages }
  }
  return found
}

/** Each page that the frames write, in their order: where in the database it stands, and what is in it. */
export function* pagesOf(bytes: Buffer, pageSize: number): Generator<{ offset: number; page: Buffer }> {
  const size = FRAME_HEADER + pageSize
  for (let at = 0; at + size <= bytes.length; at += size)
    yield {
      offset: (bytes.readUInt32BE(at) - 1) * pageSize,
      page: bytes.subarray(at + FRAME_HEADER, at + size),
    }
}
