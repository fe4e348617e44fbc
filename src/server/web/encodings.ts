import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'

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

/** The same bytes in every coding that makes them smaller, at the highest effort: for what is sent many times. */
export async function compressOnce(
  bytes: Buffer,
  contentType: string,
): Promise<Readonly<Partial<Record<Encoding, Buffer>>>> {
  if (!isCompressible(contentType) || bytes.length < 256) return { identity: bytes }
  const [br, gz] = await Promise.all([brotli(bytes, brotliOptions(bytes, 11)), zip(bytes, { level: 9 })])
  return {
    ...(br.length < bytes.length && { br }),
    ...(gz.length < bytes.length && { gzip: gz }),
    identity: bytes,
  }
}

/** One response's bytes at an effort that pays for a single sending. */
export async function compressFast(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return brotli(bytes, brotliOptions(bytes, 4))
  return encoding === 'gzip' ? zip(bytes, { level: 5 }) : bytes
}

/** A window no larger than the bytes: the default one takes megabytes of memory for each page. */
function brotliOptions(bytes: Buffer, quality: number): BrotliOptions {
  const window = Math.ceil(Math.log2(Math.max(bytes.length, 2))) + 1
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(
        constants.BROTLI_MAX_WINDOW_BITS,
        Math.max(constants.BROTLI_MIN_WINDOW_BITS, window),
      ),
    },
  }
}

const MOST_REMEMBERED = 200
const remembered = new Map<string, Encoding>()

/** The coding to answer an Accept-Encoding header with (RFC 9110 §12.5.3); without the header, none. */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity'
  const known = remembered.get(acceptEncoding)
  if (known) return known
  const best = negotiate(acceptEncoding)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(acceptEncoding, best)
  return best
}

function negotiate(header: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim())
    const q = parameters.find(parameter => parameter.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (name) weights.set(name, Number.isFinite(weight) ? weight : 0)
  }
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? 0.001 : 0)
  return ENCODINGS.reduce(
    (best, each) => (weightOf(each) > weightOf(best) ? each : best),
    weightOf('br') > 0 ? 'br' : 'identity',
  )
}
