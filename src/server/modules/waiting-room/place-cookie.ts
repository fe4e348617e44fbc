import { createHash } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Place } from '#domain/limits/waiting-room.ts'
import { readSigned, signed } from '#server/modules/operator/signed.ts'

/** Keeps a place in the browser of whoever waits: nobody can write one, move it up, or use it for another press. */
export interface PlaceCookies {
  /** The `Set-Cookie` that keeps the place of a press. */
  set(press: string, place: Place): string
  /** The one that takes it away. */
  clear(press: string): string
  /** The place that these headers hold for the press. */
  read(headers: Pick<Headers, 'get'>, press: string): Place | undefined
}

/** Longer than anybody waits. */
const KEPT_SECONDS = 2 * 3_600

/**
 * @param key of the signature, made from the server's secret
 * @param secure only over https, and then under a name that no other host can set
 */
export function placeCookies(key: Buffer, secure: boolean): PlaceCookies {
  // Each press has its own, so that two tabs keep two places. The digest tells nothing of the press's key.
  const nameOf = (digest: string) => `${secure ? '__Host-' : ''}place-${digest.slice(0, 8)}`
  const write = (digest: string, value: string, maxAge: number) =>
    stringifySetCookie({
      name: nameOf(digest),
      value,
      maxAge,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
    })
  return {
    set(press, { lane, number }) {
      const digest = digestOf(press)
      return write(digest, signed(key, `${lane}-${number}-${digest}`), KEPT_SECONDS)
    },
    clear: press => write(digestOf(press), '', 0),
    read(headers, press) {
      const digest = digestOf(press)
      const value = parseCookie(headers.get('cookie') ?? '')[nameOf(digest)]
      const text = value === undefined ? undefined : readSigned(key, value)
      const [, lane, number, of] = /^(\d+)-(\d+)-([\w-]+)$/.exec(text ?? '') ?? []
      return of === digest ? { lane: Number(lane), number: Number(number) } : undefined
    },
  }
}

const digestOf = (press: string): string => createHash('sha256').update(`place ${press}`).digest('base64url')
