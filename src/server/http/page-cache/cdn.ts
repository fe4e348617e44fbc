import { setTimeout as wait } from 'node:timers/promises'
import type { HeaderPairs } from '#server/http/transport/security-headers.ts'

/** A CDN that keeps the published pages, and is told when they are replaced. */
export interface Cdn {
  /** Tells it to forget the pages of a release, or all of them. Resolves when it has; a failure is logged. */
  purge(key: string): Promise<void>
}

/** Every published page has this key beside that of its release. */
export const ALL_PAGES = 'pages'

/** Nobody reads a page that is older than a minute, also where a purge did not arrive. */
const KEPT_SECONDS = 60

/** What a published page says to a CDN (RFC 9213), and to nobody else: browsers ask each time. */
export function cdnHeaders(release: string): HeaderPairs {
  return [
    ['CDN-Cache-Control', `public, max-age=${KEPT_SECONDS}`],
    ['Surrogate-Key', `${ALL_PAGES} ${releaseKey(release)}`],
  ]
}

/** The key of all pages of a release. */
export const releaseKey = (release: string): string => `release-${release}`

export interface CdnParts {
  /**
   * Where a purge goes: one POST with the Surrogate-Key. With `{path}` in it, for caches that know no keys, a GET of each
   * page with that header, which the cache answers from the site and keeps in the place of what it had.
   */
  readonly purgeUrl: string
  readonly token?: string | undefined
  /** The paths of all published pages. */
  readonly paths: readonly string[]
  readonly log: { error(event: string, error: unknown): void }
  readonly send?: typeof fetch
  readonly sleep?: (ms: number) => Promise<unknown>
}

const PLACE = '{path}'
const AT_ONCE = 10
const TIMEOUT_MS = 5_000
/** A page that was asked for just before the swap arrives just after the purge. */
const AGAIN_AFTER_MS = 1_000

/** Makes what tells the CDN. */
export function createCdn({ purgeUrl, token, paths, log, send = fetch, sleep = wait }: CdnParts): Cdn {
  async function ask(url: string, method: 'GET' | 'POST', key: string): Promise<void> {
    const answer = await send(url, {
      method,
      headers: { 'Surrogate-Key': key, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new Error(`status ${answer.status}`)
  }

  async function tell(key: string): Promise<void> {
    if (!purgeUrl.includes(PLACE)) return ask(purgeUrl, 'POST', key)
    for (let from = 0; from < paths.length; from += AT_ONCE)
      await Promise.all(
        paths.slice(from, from + AT_ONCE).map(path => ask(purgeUrl.replace(PLACE, path), 'GET', key)),
      )
  }

  return {
    async purge(key) {
      for (const again of [true, false]) {
        try {
          await tell(key)
        } catch (error) {
          // The second time it may answer. The address may hold a token: only the kind of failure is told.
          if (!again)
            log.error('cdn-not-purged', new Error(error instanceof Error ? error.message : 'unknown'))
        }
        if (again) await sleep(AGAIN_AFTER_MS)
      }
    },
  }
}
