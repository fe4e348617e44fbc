import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Compress, compressOnce, type Encoding } from '#server/http/transport/encodings.ts'
import type { Rendered } from './astro-handler.ts'

/** Pages that are kept. Each version of each text of the law is one in each language; hardly one is asked for in a day. */
const MOST = 30

/** Gives a page its body in a coding, compressed at the highest effort. */
export type PackLasting = (rendered: Rendered, encoding: Encoding) => Promise<Rendered>

/**
 * Compresses what says the same for ever, such as a version of the terms: once for each text, however it is asked for.
 * Everything else that is rendered for a visitor is compressed at an effort that pays for one sending.
 */
export function createLastingPages(compress: Compress = compressOnce): PackLasting {
  const kept = new LRUCache<string, Buffer>({ max: MOST })
  return async (rendered, encoding) => {
    if (rendered.status !== 200 || encoding === 'identity') return rendered
    const { body, headers } = rendered
    const name = `${encoding} ${createHash('sha256').update(body).digest('hex')}`
    const known = kept.get(name)
    if (known) return { ...rendered, packed: known }
    const packed = (await compress(body, String(headers['content-type'] ?? '')))[encoding]
    if (packed) kept.set(name, packed)
    return { ...rendered, packed }
  }
}
