import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIdShaped } from '#server/platform/db/ids.ts'

/** The actions that a link of the newsletter allows. */
export type TokenKind = 'confirm' | 'unsubscribe'

export interface Tokens {
  /** @param askedAt of the subscription: a confirmation belongs to one asking */
  make(kind: TokenKind, id: string, askedAt: number): string
  /** The subscriber's id that a token names, without looking whether the rest of it is right. */
  idOf(token: string): string | undefined
  isRight(token: string, kind: TokenKind, id: string, askedAt: number): boolean
}

/** Tokens are derived, never stored: whoever reads the database can neither confirm nor unsubscribe anybody. */
export function createTokens(secret: string | Buffer): Tokens {
  const make: Tokens['make'] = (kind, id, askedAt) => {
    // Unsubscribing stays possible for ever, by the link of any mail.
    const asked = kind === 'confirm' ? askedAt : 0
    return `${id}${createHmac('sha256', secret).update(`newsletter|${kind}|${id}|${asked}`).digest('hex').slice(0, 40)}`
  }
  return {
    make,
    idOf(token) {
      const id = token.slice(0, -40)
      return isIdShaped(id) ? id : undefined
    },
    isRight(token, kind, id, askedAt) {
      const [given, right] = [Buffer.from(token), Buffer.from(make(kind, id, askedAt))]
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
