import { isProblem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import { count } from './admit.ts'

/** The modules that look up what a key opens: the keys of cards, their check words, and the keys in the links of mails. */
const ROOMS_WITH_KEYS = [
  'answers',
  'cards',
  'certificates',
  'checkWords',
  'freeCards',
  'lostLinks',
  'payments',
  'prints',
  'receivedPayouts',
  'volunteering',
  'withdrawals',
] as const satisfies readonly (keyof App)[]

type Room = (typeof ROOMS_WITH_KEYS)[number]

/**
 * The app for the request of one visitor. Every problem that says that a key opens nothing is counted as a wrong key
 * of that visitor. Pages and endpoints get no other app, so none of them can forget to count. Once the limit is spent,
 * a wrong key is answered with Problem too-many-requests. A right key still opens its card, since a whole school may
 * share one address.
 * @param app the whole of it, or the limits and some of these rooms
 * @param who the visitor's address
 */
export function appFor<Part extends Partial<App> & { readonly limits: RateLimits }>(
  app: Part,
  who: string,
): Part {
  const rooms = ROOMS_WITH_KEYS.filter(name => app[name] !== undefined)
  return {
    ...app,
    ...Object.fromEntries(rooms.map(name => [name, counting(name, app[name] as object, app.limits, who)])),
  }
}

/** What links of mails open that are no card's. The id of a Checkout session, a payment too, is no key of ours. */
const OPENED_FROM_MAILS: readonly Room[] = ['withdrawals', 'certificates', 'receivedPayouts']

/**
 * Does this problem count as a wrong key? So does another split of a used card, which its giver may send to learn what
 * was chosen. The id of a Checkout session is no key of ours.
 */
function isGuess(room: Room, useCase: string, error: unknown): boolean {
  if (!isProblem(error)) return false
  if (OPENED_FROM_MAILS.includes(room)) return error.code === 'payment-not-found'
  return error.code === 'card-not-found' || (useCase === 'redeem' && error.code === 'card-consumed')
}

/** The module with use cases that count their wrong keys. */
function counting(which: Room, room: object, limits: RateLimits, who: string): object {
  const counted: [string, unknown][] = Object.entries(room).map(([name, useCase]) => [
    name,
    typeof useCase !== 'function'
      ? useCase
      : async (...asked: unknown[]) => {
          try {
            return await useCase.apply(room, asked)
          } catch (error) {
            if (isGuess(which, name, error)) count({ limits }, 'card-miss', who)
            throw error
          }
        },
  ])
  return Object.fromEntries(counted)
}
