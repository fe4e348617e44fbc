import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'
import { brotliWindow } from '#server/http/transport/encodings.ts'
import type { FillTemplate } from './gzip-template.ts'

/** A page is a tenth smaller than at 4, for a quarter of a millisecond more. The levels up to 9 gain nothing more. */
const QUALITY = 6

/** How many preceding bytes decide how a byte is encoded (RFC 7932 §7.1). */
const CONTEXT_BYTES = 2

/**
 * Compresses once a text that is sent many times with other bytes in its gaps, as `gzipWithGaps` does. Each gap is
 * filled with bytes that cannot be compressed and that no other part refers to. The encoder stores such bytes as they
 * are, so other bytes can replace them. The encoding of a byte depends on the bytes before it. The first bytes after
 * a gap are therefore stored together with it, so that they read the same whatever the gap holds.
 * @param parts what stands around the gaps: one more than there are gaps
 * @param gapBytes how long every gap is
 * @returns undefined when a text cannot be treated like this: it is then compressed anew for each sending
 */
export async function brotliWithGaps(
  parts: readonly Buffer[],
  gapBytes: number,
): Promise<FillTemplate | undefined> {
  const fillers = parts.slice(1).map((_, index) => fillerOf(index, gapBytes))
  const size = parts.reduce((sum, part) => sum + part.length, fillers.length * gapBytes)
  const encoder = createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindow(size),
    },
  })
  const flush = (): Promise<void> =>
    new Promise(resolve => encoder.flush(constants.BROTLI_OPERATION_FLUSH, resolve))
  const compressed = buffer(encoder)
  for (const [index, part] of parts.entries()) {
    const filler = fillers[index - 1]
    if (filler === undefined) {
      encoder.write(part)
      continue
    }
    await flush()
    encoder.write(Buffer.concat([filler, part.subarray(0, CONTEXT_BYTES)]))
    await flush()
    encoder.write(part.subarray(CONTEXT_BYTES))
  }
  encoder.end()
  const template = await compressed
  const gaps = fillers.map(filler => template.indexOf(filler))

  const fill: FillTemplate = filling => {
    if (filling.length !== gapBytes) throw new RangeError(`The gaps are ${gapBytes} bytes long.`)
    const bytes = Buffer.from(template)
    for (const at of gaps) filling.copy(bytes, at)
    return bytes
  }
  const isWhole =
    gaps.every(at => at >= 0) && PROBES.every(probe => isTrue(fill, parts, Buffer.alloc(gapBytes, probe)))
  return isWhole ? fill : undefined
}

/** Pseudo-random bytes that are the same each time, so that the compressed length is the same each time. */
const fillerOf = (index: number, bytes: number): Buffer =>
  createHash('shake256', { outputLength: bytes }).update(`gap ${index}`).digest()

/** Fillings of different kinds of bytes: an encoding that depended on them would not decode the same with both. */
const PROBES = ['~', 'a', ' ', '\0'] as const

/** Nothing promises how the encoder stores a gap, so these fillings are decoded and compared before a page is sent. */
function isTrue(fill: FillTemplate, parts: readonly Buffer[], filling: Buffer): boolean {
  const whole = Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [filling, part])))
  try {
    return brotliDecompressSync(fill(filling)).equals(whole)
  } catch {
    return false
  }
}
