/** SHA-256 of some bytes. Node and browsers each bring their own, so it is handed in. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

export const HASH_BYTES = 32

const UTF8 = new TextEncoder()

/** A text in UTF-8. */
export const bytesOf = (text: string): Uint8Array => UTF8.encode(text)

/** @throws TypeError where the bytes are no UTF-8 */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

/** All parts in one, in their order. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Are these the same bytes? Takes less time where they differ early: not for secrets. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, n) => byte === other[n])

/** Bytes in lower-case hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** @throws RangeError where the text is not lower-case hex */
export function fromHex(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new RangeError('not hex')
  return Uint8Array.from(hex.match(/../g) ?? [], each => Number.parseInt(each, 16))
}

/** Bytes in base64, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (const byte of bytes) letters += String.fromCharCode(byte)
  return btoa(letters)
}

/**
 * Reads the one spelling that `toBase64` writes: the last letter of another one could hold other bits that nobody sees.
 * @throws RangeError
 */
export function fromBase64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new RangeError('not base64')
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
  if (toBase64(bytes) !== text) throw new RangeError('not base64')
  return bytes
}
