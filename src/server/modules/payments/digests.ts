import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in hex: what the database keeps of an attempt key, a request or a settled session's id. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Are two secrets the same? Takes equally long whatever is the same about them. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
