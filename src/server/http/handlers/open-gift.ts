import { FIRST_INTRODUCTION } from '#domain/receiver/introductions.ts'
import { MISSION_SCREEN } from '#domain/receiver/volunteering-introductions.ts'
import { cardPath, passportPath, volunteeringCardPath } from '#paths'
import type { App } from '#server/http/app.ts'
import type { TradedKey } from '#server/modules/gifts/interface.ts'

/** Where a link leads, and the `Set-Cookie` lines by which the browser holds what it opens. */
export interface OpenedGift {
  readonly to: string
  readonly cookies: readonly string[]
}

/**
 * Trades the key of a link for a handle. A browser that refuses cookies is led to the address with the key.
 * @throws Problem card-not-found, too-many-requests
 */
export async function openGift(
  { giftLinks, heldGifts }: Pick<App, 'giftLinks' | 'heldGifts'>,
  link: string,
  headers: Pick<Headers, 'get'>,
): Promise<OpenedGift> {
  const traded = await giftLinks.trade(link)
  const cookies = headers.get('cookie') ?? undefined
  return heldGifts.takesCookies(cookies)
    ? { to: screenOf(traded, traded.handle), cookies: heldGifts.keep(traded, cookies) }
    : { to: screenOf(traded, traded.key), cookies: [] }
}

function screenOf({ kind, keyKind, place }: TradedKey, name: string): string {
  if (kind === 'volunteering')
    return volunteeringCardPath(name, place === 'mission' ? MISSION_SCREEN : undefined)
  if (place === 'passport') return passportPath(name)
  return cardPath(name, FIRST_INTRODUCTION, keyKind === 'private' ? 'final' : 'preview')
}
