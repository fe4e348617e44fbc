import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { tryCard } from '#domain/card/try-card.ts'
import { DEFAULT_CURRENCY } from '#domain/money/currency.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { appFor, type KeyOfHandle } from '#server/http/pipeline/app-for.ts'
import type { EndpointOptions } from '#server/http/pipeline/endpoint.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import { READ_CARD_PATH } from '#wire/api-paths.ts'
import { readCard } from '#wire/gift-card.ts'

/** Which card a call names. */
export interface CardAsked {
  readonly key: string
  readonly flag: string
}

/** The limit that every read of a card counts against, whether at the front or in an endpoint. */
export const READING_LIMITS = { limit: 'card-read' } as const satisfies EndpointOptions

/** The card of a key, or the one that anybody may try. Problem card-not-found. */
export async function cardToShow(
  app: Pick<App, 'cards' | 'clock'>,
  { key, flag }: CardAsked,
): Promise<CardView> {
  if (key === TRY_CARD_ID) return tryCard(app.clock(), DEFAULT_CURRENCY)
  return app.cards.open(key, flag === 'preview' ? 'preview' : 'full')
}

const [BEFORE_KEY = ''] = READ_CARD_PATH.split('{giftCardId}')
const PLAIN_WORDS = /^([\w-]{1,128})\/([\w-]{1,128})$/

/**
 * The card that a path asks for; undefined for every other path. A path that is written in an unusual way is left to
 * the site's own router.
 */
export function cardAskedBy(path: string): CardAsked | undefined {
  if (!path.startsWith(BEFORE_KEY)) return undefined
  const [, key, flag] = PLAIN_WORDS.exec(path.slice(BEFORE_KEY.length)) ?? []
  return key !== undefined && flag !== undefined ? { key, flag } : undefined
}

export interface CardAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** As on every answer that is made for one visitor. */
const FOR_ONE_VISITOR = [
  ['Cache-Control', 'private, no-store'],
  ['Vary', 'Accept-Encoding'],
] as const

/**
 * Shows a card at the front, without Astro, which would cost more than the look-up itself.
 * Limits, contract and answers are those of `endpoint()`.
 */
export async function showCard(
  app: App,
  asked: CardAsked,
  { address, cookies }: { readonly address: string; readonly cookies: string | undefined },
): Promise<CardAnswer> {
  try {
    count(app, READING_LIMITS.limit, address)
    // The one room that is asked: to count the wrong keys of all the others takes longer than the look-up.
    const { cards, clock, limits } = app
    const keyOf: KeyOfHandle = handle => app.heldGifts.keyOf(handle, cookies)
    const view = await cardToShow(appFor({ cards, clock, limits }, address, keyOf), asked)
    const body = JSON.stringify(readCard.response.parse(view))
    return { status: 200, headers: [['Content-Type', 'application/json'], ...FOR_ONE_VISITOR], body }
  } catch (error) {
    const problem = isProblem(error) ? error : new Problem('something-went-wrong')
    if (problem !== error) app.log.error('endpoint-failed', error, { method: 'GET', path: READ_CARD_PATH })
    const response = problemResponse(problem)
    const own = [...response.headers].filter(([name]) => name !== 'cache-control')
    return { status: response.status, headers: [...own, ...FOR_ONE_VISITOR], body: await response.text() }
  }
}
