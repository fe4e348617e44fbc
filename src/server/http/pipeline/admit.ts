import type { App } from '#server/http/app.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { checkOrigin, checkType } from './guards.ts'

/** How a request may come in, and what it is counted against. */
export interface AdmissionRules {
  readonly limit: LimitName
  /** It changes something, so it comes from our own pages or from no page at all. */
  readonly changes?: boolean | undefined
  /** What its body says it is. */
  readonly type?: 'json' | 'form' | undefined
  /** How many uses it counts for; one when missing. */
  readonly cost?: number | undefined
}

/** Whoever sends a request. */
export interface Sender {
  /** The address behind trusted proxies. */
  readonly address: string
  readonly headers: Pick<Headers, 'get'>
}

/**
 * What every request passes before anything is read or looked up for it, in this order: where it comes from, what its
 * body is, how many of them its sender has sent (product.md#calls). Nothing is counted of what is refused before.
 * @throws Problem foreign-origin, unsupported-content-type, too-many-requests
 */
export function admit(
  app: Pick<App, 'settings' | 'limits'>,
  { limit, changes = false, type, cost }: AdmissionRules,
  { address, headers }: Sender,
): void {
  if (changes) checkOrigin(headers, app.settings.siteUrl)
  if (type) checkType(headers, type)
  count(app, limit, address, cost)
}

/**
 * Counts what is known only later: a wrong key, the bytes of a body, a step of a form that gives something away. The
 * one place where HTTP counts a use.
 * @throws Problem too-many-requests, with the seconds until there is room again
 */
export function count(app: Pick<App, 'limits'>, limit: LimitName, address: string, cost?: number): void {
  app.limits.use(limit, address, cost)
}
