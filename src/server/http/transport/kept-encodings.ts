import { LRUCache } from 'lru-cache'
import { type Compress, compressOnce, type Encoding, preferredEncoding } from './encodings.ts'

/** What never changes, in the smallest coding that a request accepts. */
export type EncodeOnce = (
  name: string,
  bytes: Buffer,
  acceptEncoding: string | undefined,
) => Promise<{ readonly encoding: Encoding; readonly bytes: Buffer }>

type Codings = Awaited<ReturnType<Compress>>

/**
 * Compresses at the highest effort what is asked for first, and keeps it by its name: nobody pays for it again, and many
 * who ask at once wait for one.
 * @param mostBytes what is kept together; what was asked for least lately goes first
 */
export function encodeOnce(mostBytes: number, compress: Compress = compressOnce): EncodeOnce {
  const kept = new LRUCache<string, Codings, Buffer>({
    maxSize: mostBytes,
    sizeCalculation: ({ br, gzip }) => 1 + (br?.length ?? 0) + (gzip?.length ?? 0),
    fetchMethod: async (_name, _stale, { context }) => {
      const { br, gzip } = await compress(context, 'text/plain')
      return { ...(br && { br }), ...(gzip && { gzip }) }
    },
  })
  return async (name, bytes, acceptEncoding) => {
    const encoding = preferredEncoding(acceptEncoding)
    if (encoding === 'identity') return { encoding, bytes }
    const smaller = (await kept.fetch(name, { context: bytes }))?.[encoding]
    return smaller ? { encoding, bytes: smaller } : { encoding: 'identity', bytes }
  }
}
