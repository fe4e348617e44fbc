import { createHash } from 'node:crypto'
import type { Language } from '#domain/languages.ts'
import { localizedPath, type PublishedPage } from '#paths'
import type { Compress } from '#server/http/transport/encodings.ts'
import { type Content, makeContent, type Prepared, prepare } from '#server/http/transport/prepared.ts'
import { type HeaderPairs, POSITION_ALLOWED } from '#server/http/transport/security-headers.ts'
import type { Rendered } from './astro-handler.ts'
import { cdnHeaders } from './cdn.ts'
import { pagePolicy } from './page-policy.ts'

/** One page in one language, as the two addresses it lives at answer it. */
export interface PublishedEntry {
  /** At `/{language}/…`: anybody may cache it, after asking whether it is still good. */
  readonly canonical: Prepared
  /** The same bytes at the unprefixed address, chosen by the visitor's language. */
  readonly chosen: Prepared
}

export interface PublishFailure {
  readonly path: string
  readonly reason: string
}

export type PublishResult =
  | { readonly ok: true; readonly pages: number }
  | { readonly ok: false; readonly failures: readonly PublishFailure[] }

export interface PublishedPages {
  /**
   * Renders every page and then replaces the whole set at once. When one page fails, the earlier set stays.
   * Calls that come during a run share one further run.
   */
  publish(): Promise<PublishResult>
  find(language: Language, path: string): PublishedEntry | undefined
  /** The name of the set that is served: the same wherever the pages are the same; undefined while there is none. */
  release(): string | undefined
  /** Is there a set to serve? */
  isReady(): boolean
}

interface Parts {
  /** Renders a canonical path. */
  readonly render: (path: string, language: Language) => Promise<Rendered>
  readonly pages: readonly PublishedPage[]
  readonly languages: readonly Language[]
  /** Where it is off (development), the first set may lack pages that fail, so that the others can be worked on. */
  readonly complete: boolean
  /** How the pages are compressed; without it, anew each time. */
  readonly compress?: Compress
  /** Does a CDN stand before the site, which is told when a set is replaced? */
  readonly cdn?: boolean
}

/** Makes the cache of published pages. It is empty until pages are first published. */
export function createPublishedPages({
  render,
  pages,
  languages,
  complete,
  compress,
  cdn = false,
}: Parts): PublishedPages {
  let current: { readonly release: string; readonly pages: ReadonlyMap<string, PublishedEntry> } | undefined
  let running: Promise<PublishResult> | undefined
  let next: Promise<PublishResult> | undefined

  const renderOne = async (page: PublishedPage, language: Language): Promise<RenderedPage> => {
    const path = localizedPath(language, page.path)
    const rendered = await render(path, language)
    const type = String(rendered.headers['content-type'] ?? '')
    if (rendered.status !== 200) throw new Error(`status ${rendered.status}`)
    if (!type.startsWith('text/html') || rendered.body.length === 0) throw new Error('no HTML')
    const content = await makeContent(rendered.body, 'text/html; charset=utf-8', compress)
    return { page, path, content, policy: pagePolicy(rendered) }
  }

  const publishNow = async (): Promise<PublishResult> => {
    const jobs = languages.flatMap(language => pages.map(page => ({ language, page })))
    const results = await Promise.allSettled(jobs.map(({ page, language }) => renderOne(page, language)))
    const failures = results.flatMap((result, index) => {
      const job = jobs[index]
      if (result.status === 'fulfilled' || !job) return []
      const reason = result.reason instanceof Error ? result.reason.message : String(result.reason)
      return [{ path: localizedPath(job.language, job.page.path), reason }]
    })
    if (failures.length === 0 || (!complete && current === undefined)) {
      current = setOf(
        results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : [])),
        cdn,
      )
    }
    return failures.length === 0 ? { ok: true, pages: results.length } : { ok: false, failures }
  }

  const run = (): Promise<PublishResult> => {
    running = publishNow().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    publish() {
      if (!running) return run()
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return run()
        })
      return next
    },
    find: (language, path) => current?.pages.get(localizedPath(language, path)),
    release: () => current?.release,
    isReady: () => current !== undefined && current.pages.size > 0,
  }
}

interface RenderedPage {
  readonly page: PublishedPage
  readonly path: string
  readonly content: Content
  readonly policy: string
}

const NAME_LENGTH = 16

function setOf(rendered: readonly RenderedPage[], cdn: boolean) {
  const all = createHash('sha256')
  for (const { path, content } of rendered) all.update(`${path} ${content.digest}\n`)
  const release = all.digest('base64url').slice(0, NAME_LENGTH)
  const kept = cdn ? cdnHeaders(release) : []
  return { release, pages: new Map(rendered.map(each => [each.path, entryOf(each, kept)])) }
}

function entryOf({ page, content, policy }: RenderedPage, kept: HeaderPairs): PublishedEntry {
  const headers: HeaderPairs = [
    ...(page.noIndex ? [['X-Robots-Tag', 'noindex'] as const] : []),
    ...(page.asksPosition ? [POSITION_ALLOWED] : []),
  ]
  const never = 'private, no-store'
  return {
    canonical: page.noStore
      ? prepare(content, { cacheControl: never, policy, headers })
      : prepare(content, { cacheControl: 'public, no-cache', policy, headers: [...headers, ...kept] }),
    chosen: prepare(content, {
      cacheControl: page.noStore ? never : 'private, no-cache',
      policy,
      headers,
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    }),
  }
}
