import { constants, crc32, deflateRawSync } from 'node:zlib'

/** The text in gzip, with these bytes in each of its gaps. @throws RangeError when they are not as long as the gaps */
export type FillTemplate = (filling: Buffer) => Buffer

/** RFC 1952: deflated, no name, no time, no word of effort, on no known system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The highest takes two thirds longer for ten bytes less of a card's page. */
const LEVEL = 6
const TRAILER_BYTES = 8
/** How far back a deflated text may refer. */
const WINDOW_BYTES = 32 * 1024

/**
 * Compresses a text once that is sent many times with something else in its gaps. Each gap is a block of its own that
 * is not compressed (RFC 1951 §3.2.4), so filling it in is copying. What stands around the gaps refers to what came
 * before by distance, over them, and never to what is in them: zeros stand there when it is compressed, and a part that
 * holds a zero itself refers to nothing before it.
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

/** One part as blocks that end on a whole byte, so that others can follow. */
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
