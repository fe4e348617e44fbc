import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The text in gzip, with these bytes in each of its gaps. @throws RangeError when they are not as long as the gaps */
export type FillTemplate = (filling: Buffer) => Buffer

/** The header of RFC 1952: deflate, no name, no time, no compression level, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The highest level takes two thirds longer and makes a card's page ten bytes smaller. */
const LEVEL = 6
const TRAILER_BYTES = 8
/** How far back a deflated text may refer. */
const WINDOW_BYTES = 32 * 1024

/**
 * Compresses once a text that is sent many times with other bytes in its gaps. Each gap is a block of its own that is
 * not compressed (RFC 1951 §3.2.4), so to fill it is to copy bytes. The parts around the gaps may refer back across a
 * gap, but never to bytes in it: the gaps hold zeros while the parts are compressed, and a part that itself holds a
 * zero refers to nothing before it.
 * @param parts what stands around the gaps: one more than there are gaps
 * @param gapBytes how long every gap is, at most 65,535
 */
export function gzipWithGaps(parts: readonly Buffer[], gapBytes: number): FillTemplate {
  const gap = Buffer.alloc(gapBytes)
  const pieces: Buffer[] = [HEADER]
  const gaps: number[] = []
  let length = HEADER.length
  let before = Buffer.alloc(0)
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1
    const block = isLast ? [] : [storedBlock(gapBytes), gap]
    pieces.push(deflated(part, before, isLast), ...block)
    before = Buffer.concat([before, part, gap]).subarray(-WINDOW_BYTES)
    length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (!isLast) gaps.push(length - gapBytes)
  })
  const template = Buffer.concat([...pieces, Buffer.alloc(TRAILER_BYTES)])
  const size = parts.reduce((sum, part) => sum + part.length, gaps.length * gapBytes)

  return filling => {
    if (filling.length !== gapBytes) throw new RangeError(`The gaps are ${gapBytes} bytes long.`)
    const bytes = Buffer.from(template)
    for (const at of gaps) filling.copy(bytes, at)
    const check = parts.reduce((sum, part, index) => crc32(part, index === 0 ? sum : crc32(filling, sum)), 0)
    bytes.writeUInt32LE(check, length)
    bytes.writeUInt32LE(size, length + 4)
    return bytes
  }
}

/** One part as blocks that end on a whole byte, so that other blocks can follow. */
function deflated(part: Buffer, before: Buffer, isLast: boolean): Buffer {
  return deflateRawSync(part, {
    level: LEVEL,
    finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
    ...(before.length > 0 && !part.includes(0) && { dictionary: before }),
  })
}

function storedBlock(bytes: number): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes, 1)
  head.writeUInt16LE(bytes ^ 0xffff, 3)
  return head
}
