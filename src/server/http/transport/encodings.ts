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

/** Below this many bytes the headers outweigh what compression saves. */
export const WORTH_COMPRESSING_BYTES = 1024

const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|manifest\+json|problem\+json|xml|wasm)|image\/svg\+xml|font\/(ttf|otf))/

export function isCompressible(contentType: string): boolean {
  return COMPRESSIBLE.test(contentType)
}

/** The same bytes in every coding that makes them smaller. */
export type Compress = (
  bytes: Buffer,
  contentType: string,
) => Promise<Readonly<Partial<Record<Encoding, Buffer>>>>

/**
 * The highest effort takes megabytes for each text, and what four threads took at once stayed with the server:
 * 32 MB after a hundred pages. Two keep two processors as busy.
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

/** A page that grew that long has its next reader waiting for it: the last two steps take ten times as long for 7 %. */
const highestEffort = (bytes: Buffer, contentType: string): number =>
  contentType.startsWith('text/html') && bytes.length > LONG_PAGE_BYTES ? 9 : 11

/** Compresses well enough in a fraction of the time: for large files that few ask for. */
export const compressQuickly: Compress = async (bytes, contentType) => {
  if (!isCompressible(contentType) || bytes.length < WORTH_COMPRESSING_BYTES) return { identity: bytes }
  const [br, gz] = await Promise.all([brotli(bytes, brotliOptions(bytes, 5)), zip(bytes, { level: 6 })])
  return { br, gzip: gz, identity: bytes }
}

/**
 * One response's bytes at an effort that pays for a single sending. Done at once: for a page of some kilobytes
 * handing the work to another thread costs more than the work. @param encoding see `fastEncoding`
 */
export function compressFast(bytes: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'gzip') return gzipSync(bytes, { level: 4 })
  return encoding === 'br' ? brotliCompressSync(bytes, brotliOptions(bytes, 2)) : bytes
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

/** A window no larger than the bytes, as a power of two: the default one takes megabytes of memory for each page. */
export function brotliWindow(bytes: number): number {
  const window = Math.ceil(Math.log2(Math.max(bytes, 2))) + 1
  return Math.min(constants.BROTLI_MAX_WINDOW_BITS, Math.max(constants.BROTLI_MIN_WINDOW_BITS, window))
}

/** The coding of what is held ready, where the smallest bytes win. Without an Accept-Encoding header, none. */
export const preferredEncoding = remembering(['br', 'gzip', 'identity'])

/** The coding of what is compressed for one sending: gzip takes half of brotli's time for the same size. */
export const fastEncoding = remembering(['gzip', 'br', 'identity'])

/** Negotiates, and remembers the answer for the headers it saw last. */
function remembering(order: readonly Encoding[]): (acceptEncoding: string | undefined) => Encoding {
  const remembered = new LRUCache<string, Encoding>({ max: 200 })
  return acceptEncoding => {
    if (!acceptEncoding) return 'identity'
    const known = remembered.get(acceptEncoding)
    if (known) return known
    const best = negotiate(acceptEncoding, order)
    remembered.set(acceptEncoding, best)
    return best
  }
}

/** RFC 9110 §12.5.3: the best weight wins, the earlier of equals. */
function negotiate(header: string, order: readonly Encoding[]): Encoding {
  const weights = new Map(acceptedRanges(header).map(({ range, quality }) => [range, quality]))
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? LEAST : (weights.get('*') ?? 0))
  const best = order.reduce((first, each) => (weightOf(each) > weightOf(first) ? each : first))
  return weightOf(best) > 0 ? best : 'identity'
}

/** Always possible, but anything that is wanted at all comes before it. */
const LEAST = 0.0001
