import { isShared } from '#domain/limits/limits.ts'
import type { PartnerScope } from '#domain/partner/partner.ts'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { Partner } from '#server/modules/partners/partners.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { count, type Sender } from './admit.ts'
import { checkType } from './guards.ts'

/** How a partner's program may come in. */
export interface PartnerRules {
  readonly scope: PartnerScope
  /** What the call is counted against, for each partner by itself. */
  readonly limit: LimitName
  readonly type?: 'json' | undefined
}

const BEARER = /^Bearer +([\x21-\x7e]{1,200})$/i

/**
 * Lets a partner's program in, in this order: it is no page of a browser, its content type, its key, what the key is for, and
 * its limit; where all partners share one, it waits for its turn. No cookie counts here.
 * @param app whose `partners` count a wrong key against the address that it came from (`appFor`)
 * @throws Problem foreign-origin, unsupported-content-type, partner-key-missing, partner-key-unknown,
 * partner-key-of-sandbox, partner-key-of-real-site, scope-missing, too-many-requests, temporarily-unavailable
 */
export async function admitPartner(
  app: Pick<App, 'limits' | 'partners'>,
  { scope, limit, type }: PartnerRules,
  { headers }: Pick<Sender, 'headers'>,
): Promise<Partner> {
  refusePages(headers)
  if (type) checkType(headers, type)
  const [, key] = BEARER.exec(headers.get('Authorization') ?? '') ?? []
  if (key === undefined) throw new Problem('partner-key-missing')
  const partner = await app.partners.ofKey(key)
  if (!partner.scopes.includes(scope)) throw new Problem('scope-missing', { scope })
  count(app, limit, partner.id)
  if (isShared(limit)) await app.limits.turn(limit, partner.id)
  return partner
}

/** A key that a page holds is in the hands of all its visitors, so it opens nothing there, on this site's pages either. */
function refusePages(headers: Pick<Headers, 'get'>): void {
  const site = headers.get('Sec-Fetch-Site')
  if (headers.get('Origin') !== null || (site !== null && site !== 'none'))
    throw new Problem('foreign-origin')
}
