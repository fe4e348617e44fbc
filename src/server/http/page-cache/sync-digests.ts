import { createHash } from 'node:crypto'

/** Up to here hashing takes less than handing the bytes to another thread does. */
const SMALL_BYTES = 64 * 1024

/**
 * Astro hashes a page's inline styles for its policy anew each time the page is rendered, by WebCrypto, which sends
 * each to another thread and waits. Small texts are hashed at once instead; the digests are the same.
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
