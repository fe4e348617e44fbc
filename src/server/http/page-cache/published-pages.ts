import { createHash } from 'node:crypto'
import type { Language } from '#domain/languages.ts'
import { localizedPath, type PublishedPage } from '#paths'
import { type Compress, compressQuickly } from '#server/http/transport/encodings.ts'
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
   * Calls that come during a run share one further run. What a later set has that is new is compressed quickly at first.
   */
  publish(): Promise<PublishResult>
  /** Resolves once nothing is compressed at the highest effort any more, or a publish has come between. */
  settled(): Promise<void>
  find(language: Language, path: string): PublishedEntry | undefined
  /** The name of the set that is served: the same wherever the pages are the same; undefined while there is none. */
  release(): string | undefined
  /** Is there a set to serve? */
  isReady(): boolean
}

/** A page as it was rendered for all visitors. */
export interface RenderedForAll extends Rendered {
  /** Would it come out the same now? A page that cannot tell is rendered for each publish. */
  readonly isUnchanged?: () => boolean
}

interface Parts {
  /** Renders a canonical path. */
  readonly render: (path: string, language: Language) => Promise<RenderedForAll>
  readonly pages: readonly PublishedPage[]
  readonly languages: readonly Language[]
  /** Where it is off (development), the first set may lack pages that fail, so that the others can be worked on. */
  readonly complete: boolean
  /** How pages are compressed that are there to stay; without it, anew each time. */
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
  let current: PageSet | undefined
  let running: Promise<PublishResult> | undefined
  let next: Promise<PublishResult> | undefined
  let refining: Promise<void> = Promise.resolve()

  const renderedBefore = (path: string): RenderedPage | undefined => current?.pages.get(path)?.rendered

  const publishNow = async (): Promise<PublishResult> => {
    const jobs = languages.flatMap(language =>
      pages.map(page => ({ language, page, path: localizedPath(language, page.path) })),
    )
    const outcomes: Promise<RenderedPage | PublishFailure>[] = []
    // A CDN keeps what it has of a set until the next one: it gets the smallest.
    const isQuick = current !== undefined && !cdn
    const waiting = jobs.entries()
    const renderInTurn = async (): Promise<void> => {
      for (const [index, { page, language, path }] of waiting) {
        const before = renderedBefore(path)
        if (before?.isUnchanged?.() === true) {
          outcomes[index] = Promise.resolve(before)
          continue
        }
        const rendering = render(path, language)
        // The next one is rendered while this one is compressed, by another thread.
        outcomes[index] = rendering
          .then(rendered => finished({ page, path, rendered, before, compress, isQuick }))
          .catch(failureAt(path))
        await rendering.catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: RENDERED_AT_ONCE }, renderInTurn))
    const results = await Promise.all(outcomes)
    const failures = results.filter(isFailure)
    const whole = results.flatMap(result => (isFailure(result) ? [] : [result]))
    if (failures.length === 0 || (!complete && current === undefined)) current = setOf(whole, current, cdn)
    return failures.length === 0 ? { ok: true, pages: results.length } : { ok: false, failures }
  }

  /** It makes way for a publish, whose end has a turn of its own. */
  const refine = async (): Promise<void> => {
    const from = current
    if (from === undefined) return
    const hasToStop = () => current !== from || running !== undefined
    const small = await refined(from, compress, hasToStop)
    if (small && !hasToStop()) current = setOf(small, from, cdn)
  }

  const run = (): Promise<PublishResult> => {
    running = publishNow().finally(() => {
      running = undefined
      refining = refining.then(refine)
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
    settled: () => refining,
    find: (language, path) => current?.pages.get(localizedPath(language, path))?.entry,
    release: () => current?.release,
    isReady: () => current !== undefined && current.pages.size > 0,
  }
}

/** Pages that are rendered at a time. All at once kept the parts of all in memory, and each collection moved them. */
const RENDERED_AT_ONCE = 4

interface RenderedPage {
  readonly page: PublishedPage
  readonly path: string
  readonly content: Content
  readonly policy: string
  /** The policy before what does not stand in this page was taken out. */
  readonly givenPolicy: string
  /** See RenderedForAll. */
  readonly isUnchanged?: (() => boolean) | undefined
}

interface ToFinish {
  readonly page: PublishedPage
  readonly path: string
  readonly rendered: RenderedForAll
  /** The page in the set that is served. */
  readonly before: RenderedPage | undefined
  readonly compress: Compress | undefined
  /** Does somebody wait for it? */
  readonly isQuick: boolean
}

/** What is served, and from what the next set takes what has not changed. */
interface PageSet {
  readonly release: string
  readonly pages: ReadonlyMap<string, { readonly rendered: RenderedPage; readonly entry: PublishedEntry }>
}

/**
 * Compresses a page; where it says what it said before, as before.
 * @throws Error when it is not a whole page
 */
async function finished({
  page,
  path,
  rendered,
  before,
  compress,
  isQuick,
}: ToFinish): Promise<RenderedPage> {
  const type = String(rendered.headers['content-type'] ?? '')
  if (rendered.status !== 200) throw new Error(`status ${rendered.status}`)
  if (!type.startsWith('text/html') || rendered.body.length === 0) throw new Error('no HTML')
  const { isUnchanged } = rendered
  if (before && saysTheSame(before, rendered)) return { ...before, isUnchanged }
  const content = isQuick
    ? { ...(await pageContent(rendered.body, compressQuickly)), isQuick }
    : await pageContent(rendered.body, compress)
  return {
    page,
    path,
    content,
    policy: pagePolicy(rendered),
    givenPolicy: givenPolicy(rendered),
    isUnchanged,
  }
}

/**
 * Compresses at the highest effort what a set has without.
 * @param hasToStop is asked before each page
 * @returns all pages; undefined where it stopped, or there was nothing to do
 */
async function refined(
  { pages }: PageSet,
  compress: Compress | undefined,
  hasToStop: () => boolean,
): Promise<readonly RenderedPage[] | undefined> {
  const all = [...pages.values()].map(({ rendered }) => rendered)
  const small = new Map<RenderedPage, Content>()
  for (const page of all) {
    const { isQuick, bodies } = page.content
    if (!isQuick || bodies.identity === undefined) continue
    if (hasToStop()) return undefined
    // One that cannot be compressed stays as it is, until the next set.
    const content = await pageContent(bodies.identity, compress).catch(() => undefined)
    if (content) small.set(page, content)
  }
  if (small.size === 0) return undefined
  return all.map(page => ({ ...page, content: small.get(page) ?? page.content }))
}

const pageContent = (body: Buffer, compress: Compress | undefined): Promise<Content> =>
  makeContent(body, 'text/html; charset=utf-8', compress)

const givenPolicy = ({ headers }: Rendered): string => String(headers['content-security-policy'] ?? '')

/** Most pages say after a publish what they said before: they are neither compressed nor looked for on disk again. */
const saysTheSame = (before: RenderedPage, rendered: Rendered): boolean =>
  before.givenPolicy === givenPolicy(rendered) &&
  before.content.bodies.identity?.equals(rendered.body) === true

const failureAt =
  (path: string) =>
  (error: unknown): PublishFailure => ({
    path,
    reason: error instanceof Error ? error.message : String(error),
  })

const isFailure = (result: RenderedPage | PublishFailure): result is PublishFailure => 'reason' in result

const NAME_LENGTH = 16

function setOf(rendered: readonly RenderedPage[], before: PageSet | undefined, cdn: boolean): PageSet {
  const all = createHash('sha256')
  for (const { path, content } of rendered) all.update(`${path} ${content.digest}\n`)
  const release = all.digest('base64url').slice(0, NAME_LENGTH)
  const kept = cdn ? cdnHeaders(release) : []
  const pages = rendered.map(each => {
    const known = before?.pages.get(each.path)
    // A CDN is told the release with each page.
    const isSame = known?.rendered.content === each.content && (!cdn || before?.release === release)
    return [each.path, { rendered: each, entry: isSame ? known.entry : entryOf(each, kept) }] as const
  })
  return { release, pages: new Map(pages) }
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
