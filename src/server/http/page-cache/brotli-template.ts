import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, createBrotliCompress } from 'node:zlib'
import { brotliWindow } from '#server/http/transport/encodings.ts'
import type { FillTemplate } from './gzip-template.ts'

/**
 * The highest effort whose letters do not depend on those before them (RFC 7932 §7.1): what follows a gap reads the
 * same whatever is in it.
 */
const QUALITY = 4

/**
 * Compresses a text once that is sent many times with something else in its gaps, as `gzipWithGaps` does: where the
 * gaps are, it is given bytes that cannot be made smaller and that nothing else refers to. The encoder writes those
 * down as they are, and others may stand in their place.
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
    encoder.write(part)
    const filler = fillers[index]
    if (filler === undefined) continue
    await flush()
    encoder.write(filler)
    await flush()
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
  return gaps.every(at => at >= 0) && isTrue(fill, parts, Buffer.alloc(gapBytes, '~')) ? fill : undefined
}

/** Looks as if it were chance, and is the same each time: so is the length of what is sent. */
const fillerOf = (index: number, bytes: number): Buffer =>
  createHash('shake256', { outputLength: bytes }).update(`gap ${index}`).digest()

/** How the encoder writes a gap down is its own affair: one filling is read back before any is sent. */
function isTrue(fill: FillTemplate, parts: readonly Buffer[], filling: Buffer): boolean {
  const whole = Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [filling, part])))
  try {
    return brotliDecompressSync(fill(filling)).equals(whole)
  } catch {
    return false
  }
}
