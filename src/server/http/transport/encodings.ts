import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { acceptedRanges } from '#domain/accept-language.ts'

/** The content codings we can send, best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Below this many bytes the headers cost more than compression saves. */
export const WORTH_COMPRESSING_BYTES = 1024

const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|manifest\+json|problem\+json|xml|wasm)|image\/svg\+xml|font\/(ttf|otf))/

/** Does compression make files of this type smaller? Pictures are compressed already. */
export function isCompressible(contentType: string): boolean {
  return COMPRESSIBLE.test(contentType)
}

/** The same bytes in every coding that makes them smaller. */
export type Compress = (
  bytes: Buffer,
  contentType: string,
) => Promise<Readonly<Partial<Record<Encoding, Buffer>>>>

/**
 * How many texts are compressed at once. The highest effort takes megabytes for each text, and with four threads the
 * server kept 32 MB of that after a hundred pages. Two threads keep two processors as busy.
 */
const turns = new PQueue({ concurrency: 2 })

/** Compresses at the highest effort: for what is sent many times. */
export const compressOnce: Compress = async (bytes, contentType) => {
  if (!isCompressible(contentType) || bytes.length < 256) return { identity: bytes }
  const [br, gz] = await Promise.all([
    turns.add(() => brotli(bytes, brotliOptions(bytes, highestEffort(bytes, contentType)))),
    turns.add(() => zip(bytes, { level: 9 })),
  ])
  return {
    ...(br.length < bytes.length && { br }),
    ...(gz.length < bytes.length && { gzip: gz }),
    identity: bytes,
  }
}

const LONG_PAGE_BYTES = 128 * 1024

/** A long page gets a lower effort, since its next reader waits: the last two levels take ten times as long for 7 %. */
const highestEffort = (bytes: Buffer, contentType: string): number =>
  contentType.startsWith('text/html') && bytes.length > LONG_PAGE_BYTES ? 9 : 11

/** Compresses well enough in a fraction of the time: for large files that few ask for. */
export const compressQuickly: Compress = async (bytes, contentType) => {
  if (!isCompressible(contentType) || bytes.length < WORTH_COMPRESSING_BYTES) return { identity: bytes }
  const [br, gz] = await Promise.all([brotli(bytes, brotliOptions(bytes, 5)), zip(bytes, { level: 6 })])
  return { br, gzip: gz, identity: bytes }
}

/**
 * Compresses the bytes of one response at an effort that pays for a single sending. The work is done in this thread:
 * for a page of some kilobytes, handing it to another thread costs more than the work itself. For a page of 30 kB,
 * brotli at 5 needs half a millisecond more than gzip and makes it a twelfth smaller; a page of 50 kB is a hundredth smaller
 * at 6 in the same time, and the levels up to 9 gain nothing more.
 */
export function compressFast(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes, { level: 4 })
  return encoding === 'br' ? brotliCompressSync(bytes, brotliOptions(bytes, 6)) : bytes
}

function brotliOptions({ length }: Buffer, quality: number): BrotliOptions {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      [constants.BROTLI_PARAM_LGWIN]: brotliWindow(length),
    },
  }
}

/** The window as a power of two, no larger than the bytes: the default takes megabytes of memory for each page. */
export function brotliWindow(bytes: number): number {
  const window = Math.ceil(Math.log2(Math.max(bytes, 2))) + 1
  return Math.min(constants.BROTLI_MAX_WINDOW_BITS, Math.max(constants.BROTLI_MIN_WINDOW_BITS, window))
}

const remembered = new LRUCache<string, Encoding>({ max: 200 })

/**
 * The smallest coding that the visitor accepts; none without an Accept-Encoding header. The result is kept for the
 * headers seen last.
 */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity'
  const known = remembered.get(acceptEncoding)
  if (known) return known
  const best = negotiate(acceptEncoding)
  remembered.set(acceptEncoding, best)
  return best
}

/** RFC 9110 §12.5.3: the best weight wins; of equal weights, the earlier coding in our list. */
function negotiate(header: string): Encoding {
  const weights = new Map(acceptedRanges(header).map(({ range, quality }) => [range, quality]))
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? LEAST : (weights.get('*') ?? 0))
  const best = ENCODINGS.reduce((first, each) => (weightOf(each) > weightOf(first) ? each : first))
  return weightOf(best) > 0 ? best : 'identity'
}

/** Sending without compression is always possible, but every accepted coding comes before it. */
const LEAST = 0.0001
