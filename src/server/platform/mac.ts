import { createHmac, hash } from 'node:crypto'

/** The message authentication code of a text: nobody without the secret can make it, or find another text with the same. */
export type Mac = (text: string) => string

/** SHA-256 works on blocks of so many bytes, which is what HMAC fills its key up to. */
const BLOCK = 64
const DIGEST = 32
/** 128 bits. */
const LETTERS = 22

/** The key that seals are made with, of a server's secret. */
export const sealsKeyOf = (secret: string): Buffer =>
  createHmac('sha256', secret).update('the key of the seals').digest()

/**
 * HMAC-SHA-256, cut to 128 bits, in base64url. Written out with one-shot digests, since the books' check makes one for
 * each of a million rows, and `createHmac` takes several times as long for short texts.
 * @param of the server's secret, which the seals' own key is derived from, or that key
 */
export function createMac(of: string | Buffer): Mac {
  const key = typeof of === 'string' ? sealsKeyOf(of) : of
  const inner = Buffer.alloc(4096)
  const outer = Buffer.alloc(BLOCK + DIGEST)
  for (let n = 0; n < BLOCK; n++) {
    inner[n] = (key[n] ?? 0) ^ 0x36
    outer[n] = (key[n] ?? 0) ^ 0x5c
  }
  const head = Buffer.from(inner.subarray(0, BLOCK))
  return text => {
    // A letter is at most three bytes.
    const fits = text.length * 3 <= inner.length - BLOCK
    const message = fits
      ? inner.subarray(0, BLOCK + inner.write(text, BLOCK))
      : Buffer.concat([head, Buffer.from(text)])
    outer.set(hash('sha256', message, 'buffer'), BLOCK)
    return hash('sha256', outer, 'base64url').slice(0, LETTERS)
  }
}
