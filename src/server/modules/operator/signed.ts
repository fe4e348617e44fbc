import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * A key for one purpose, made from the server's secret: who knows it knows neither the secret nor the key of
 * another purpose.
 */
export function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}

/** A text that nobody else can have written. It is no secret itself. */
export function signed(key: Buffer, text: string): string {
  return `${text}.${macOf(key, text)}`
}

/** The text of what `signed` gave; undefined for anything else. */
export function readSigned(key: Buffer, value: string): string | undefined {
  const end = value.lastIndexOf('.')
  if (end < 0) return undefined
  const text = value.slice(0, end)
  return isSame(value.slice(end + 1), macOf(key, text)) ? text : undefined
}

/** Compares two texts in a time that says nothing of either. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

const macOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')
