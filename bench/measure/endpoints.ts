import { callTogether, type Request } from '../harness/client.ts'
import { startBareServer } from '../harness/nginx.ts'
import type { Profile } from '../harness/profile.ts'
import { event, publishedPage, readCard, redeem, startPayment } from '../harness/requests.ts'
import type { BenchSite } from '../harness/site.ts'
import { percentile, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const CALLERS = [1, 8, 50] as const

interface Endpoint {
  readonly what: string
  readonly request: (n: number) => Request
  /** Of the requests that the others get: for what is rationed. */
  readonly share?: number
}

/** How long each kind of request takes with one, some and many callers, against nginx with a bare page. */
export async function measureEndpoints(
  { url, keys }: BenchSite,
  { endpointRequests }: Pick<Profile, 'endpointRequests'>,
): Promise<Figure[]> {
  const bare = await startBareServer('<!doctype html><title>Bare</title><p>Bare')
  const { active } = keys
  const spend = (): string => {
    const key = keys.unused.pop()
    if (key === undefined) throw new Error('every card is spent')
    return key
  }
  const endpoints: readonly Endpoint[] = [
    { what: bare.name, request: () => ({ url: `${bare.url}/` }) },
    { what: 'published page', request: () => publishedPage(url) },
    { what: 'card read', request: n => readCard(url, active[n % active.length]!) },
    { what: 'card given away', request: () => redeem(url, spend()) },
    // All visitors together may start so many payments at once, and no more.
    { what: 'payment started, at the stand-in', request: () => startPayment(url), share: 0.5 },
    { what: 'event counted', request: () => event(url) },
  ]
  try {
    for (const { request } of endpoints) await callTogether(4, 20, request)
    const figures: Figure[] = []
    for (const callers of CALLERS) {
      let reference = Number.NaN
      for (const { what, request, share = 1 } of endpoints) {
        const { ms, perSecond } = await callTogether(callers, endpointRequests * share, request)
        const p50 = percentile(ms, 0.5)
        const part = `${callers} ${callers === 1 ? 'caller' : 'callers'} at once, answers as they see them, against ${bare.name}`
        if (what === bare.name) {
          reference = p50
          continue
        }
        figures.push(
          {
            id: `${callers} ${what} p50`,
            part,
            what: `${what}, p50`,
            unit: 'ms',
            measured: p50,
            reference,
            spread: spread(ms),
          },
          {
            id: `${callers} ${what} p99`,
            part,
            what: `${what}, p99`,
            unit: 'ms',
            measured: percentile(ms, 0.99),
          },
          { id: `${callers} ${what} rate`, part, what: `${what}, rate`, unit: '/s', measured: perSecond },
        )
      }
    }
    return figures
  } finally {
    await bare.stop()
  }
}
