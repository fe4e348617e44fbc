import { isShared } from '#domain/limits/limits.ts'
import type { App } from '#server/http/app.ts'
import type { LimitName, OwnLimitName } from '#server/platform/limits.ts'
import { checkOrigin, checkType } from './guards.ts'

/** How a request may come in, and what it is counted against. */
export interface AdmissionRules<Name extends LimitName = LimitName> {
  readonly limit: Name
  /** The request changes something, so it must come from our own pages or from no page at all. */
  readonly changes?: boolean | undefined
  /** The content type that its body must have. */
  readonly type?: 'json' | 'form' | 'upload' | undefined
  /** How many uses of the limit it takes; one when missing. */
  readonly cost?: number | undefined
}

/** Whoever sends a request. */
export interface Sender {
  /** The address behind trusted proxies. */
  readonly address: string
  readonly headers: Pick<Headers, 'get'>
}

/**
 * Checks every request before anything is read or looked up for it, in this order: its origin, its content type, and
 * the limit of its sender (product.md#calls). A request that is refused before the limit is not counted.
 * @throws Problem foreign-origin, unsupported-content-type, too-many-requests
 */
export function admit(
  app: Pick<App, 'settings' | 'limits'>,
  rules: AdmissionRules<OwnLimitName>,
  sender: Sender,
): void {
  admitAlone(app, rules, sender)
}

/**
 * The same for every limit: where all visitors share one, it waits until this visitor's turn has come.
 * @throws Problem also temporarily-unavailable, where the turn does not come in time
 */
export async function admitInTurn(
  app: Pick<App, 'settings' | 'limits'>,
  rules: AdmissionRules,
  sender: Sender,
): Promise<void> {
  admitAlone(app, rules, sender)
  if (isShared(rules.limit)) await app.limits.turn(rules.limit, sender.address)
}

/**
 * The same for what has a waiting room: only the visitor's own limit counts here. Who is let in is for the room to say, once
 * it is known what for.
 * @throws Problem as `admit` does
 */
export function admitToRoom(
  app: Pick<App, 'settings' | 'limits' | 'waitingRoom'>,
  rules: AdmissionRules,
  sender: Sender,
): void {
  checkSender(app, rules, sender)
  countAtRoom(app, rules.limit, sender, sender.headers.get('Idempotency-Key') ?? undefined)
}

/**
 * Counts a press at a waiting room. Whoever holds a place there has another limit, since asking again is no press.
 * @param attemptKey of the press
 * @throws Problem too-many-requests
 */
export function countAtRoom(
  app: Pick<App, 'limits' | 'waitingRoom'>,
  limit: LimitName,
  { address, headers }: Sender,
  attemptKey: string | undefined,
): void {
  count(app, app.waitingRoom.holdsPlace({ headers, attemptKey }) ? 'waiting' : limit, address)
}

/**
 * Where a request comes from, and of what type it is: the first that is checked of each. What is counted only after it was
 * read, since whoever is refused is shown what they wrote, has this checked by itself.
 * @throws Problem foreign-origin, unsupported-content-type
 */
export function checkSender(
  app: Pick<App, 'settings'>,
  { changes = false, type }: Pick<AdmissionRules, 'changes' | 'type'>,
  { headers }: Pick<Sender, 'headers'>,
): void {
  if (changes) checkOrigin(headers, app.settings.siteUrl)
  if (type) checkType(headers, type)
}

function admitAlone(
  app: Pick<App, 'settings' | 'limits'>,
  { limit, cost, ...rules }: AdmissionRules,
  sender: Sender,
): void {
  checkSender(app, rules, sender)
  count(app, limit, sender.address, cost)
}

/**
 * Counts a use that is known only later, against the visitor's own limit: a wrong key, the bytes of a body, a step of a
 * form that gives something away. This is the only place where HTTP counts a use.
 * @throws Problem too-many-requests, with the seconds until there is room again
 */
export function count(app: Pick<App, 'limits'>, limit: LimitName, address: string, cost?: number): void {
  app.limits.use(limit, address, cost)
}
