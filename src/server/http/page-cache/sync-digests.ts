import { createHash } from 'node:crypto'

/** Up to this many bytes, hashing at once takes less time than handing the bytes to another thread. */
const SMALL_BYTES = 64 * 1024

/**
 * Makes WebCrypto hash small texts at once. Astro hashes a page's inline styles each time it renders the page, and
 * WebCrypto sends each of them to another thread and waits for it. The digests stay the same.
 */
export function hashSmallTextsAtOnce(subtle: SubtleCrypto = crypto.subtle): void {
  const original = subtle.digest.bind(subtle)
  const digest: SubtleCrypto['digest'] = async (algorithm, data) => {
    if (algorithm !== 'SHA-256' || data.byteLength > SMALL_BYTES) return original(algorithm, data)
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new Uint8Array(data)
    return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
  }
  Object.defineProperty(subtle, 'digest', { value: digest, configurable: true, writable: true })
}
