import { isHandleShaped, keyNamed } from '#domain/card/gift-links.ts'
import { isProblem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import { count } from './admit.ts'

/** The key that a browser holds by this handle. */
export type KeyOfHandle = (handle: string) => string | undefined

/** The modules that look up what a key opens: the keys of cards, their check words, the keys in the links of mails, and those of partners. */
const ROOMS_WITH_KEYS = [
  'answers',
  'cards',
  'certificates',
  'checkWords',
  'freeCards',
  'giftLinks',
  'invoices',
  'lostLinks',
  'manyOrders',
  'partners',
  'payments',
  'prints',
  'receivedPayouts',
  'sendings',
  'volunteering',
  'wishes',
  'withdrawals',
] as const satisfies readonly (keyof App)[]

type Room = (typeof ROOMS_WITH_KEYS)[number]

/**
 * The app for the request of one visitor. Every problem that says that a key opens nothing is counted as a wrong key
 * of that visitor. Pages and endpoints get no other app, so none of them can forget to count. Once the limit is spent,
 * a wrong key is answered with Problem too-many-requests. A right key still opens its card, since a whole school may
 * share one address. Where a use case takes a key, it is given the key that the visitor's browser holds by a handle. A handle
 * that it does not hold is no guess: no key has its shape (docs/decisions/0117-safe-links.md).
 * @param app the whole of it, or the limits and some of these rooms
 * @param who the visitor's address
 * @param keyOf the key behind a handle, undefined where the browser does not hold it
 */
export function appFor<Part extends Partial<App> & { readonly limits: RateLimits }>(
  app: Part,
  who: string,
  keyOf: KeyOfHandle = () => undefined,
): Part {
  const rooms = ROOMS_WITH_KEYS.filter(name => app[name] !== undefined)
  return {
    ...app,
    ...Object.fromEntries(
      rooms.map(name => [name, counting(name, app[name] as object, { limits: app.limits, who, keyOf })]),
    ),
  }
}

/** What links of mails open that are no card's. The id of a Checkout session, a payment too, is no key of ours. */
const OPENED_FROM_MAILS: readonly Room[] = [
  'withdrawals',
  'certificates',
  'invoices',
  'manyOrders',
  'receivedPayouts',
]

/**
 * Does this problem count as a wrong key? So does another split of a used card, which its giver may send to learn what
 * was chosen. The id of a Checkout session is no key of ours.
 */
function isGuess(room: Room, useCase: string, error: unknown): boolean {
  if (!isProblem(error)) return false
  if (OPENED_FROM_MAILS.includes(room)) return error.code === 'payment-not-found'
  if (room === 'partners') return error.code === 'partner-key-unknown'
  return error.code === 'card-not-found' || (useCase === 'redeem' && error.code === 'card-consumed')
}

const isHandle = (value: unknown): boolean => typeof value === 'string' && isHandleShaped(value)

/** The module with use cases that count their wrong keys. */
function counting(
  which: Room,
  room: object,
  { limits, who, keyOf }: { readonly limits: RateLimits; readonly who: string; readonly keyOf: KeyOfHandle },
): object {
  const opened = (value: unknown) => (typeof value === 'string' ? keyNamed(value, keyOf) : value)
  const counted: [string, unknown][] = Object.entries(room).map(([name, useCase]) => [
    name,
    typeof useCase !== 'function'
      ? useCase
      : async (...asked: unknown[]) => {
          try {
            return await useCase.apply(room, asked.map(opened))
          } catch (error) {
            if (isGuess(which, name, error) && !asked.some(isHandle)) count({ limits }, 'card-miss', who)
            throw error
          }
        },
  ])
  return Object.fromEntries(counted)
}
