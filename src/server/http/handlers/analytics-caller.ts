import type { Call } from '#server/http/pipeline/endpoint.ts'
import type { Caller } from '#server/modules/analytics/analytics.ts'

type CallOf = Pick<Call, 'address' | 'language'> & { readonly headers: Pick<Headers, 'get'> }

/** What statistics look at of a call. Global Privacy Control and Do Not Track count as a plain no. */
export function analyticsCaller({ address, headers, language }: CallOf): Caller {
  return {
    address,
    userAgent: (headers.get('User-Agent') ?? '').slice(0, 300),
    language,
    refuses: headers.get('Sec-GPC') === '1' || headers.get('DNT') === '1',
  }
}
