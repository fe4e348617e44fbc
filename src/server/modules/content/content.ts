import { isDeepStrictEqual } from 'node:util'
import type { SanityClient } from '@sanity/client'
import { Problem } from '#domain/problems.ts'
import type { Content, ContentFault, ContentState } from '#server/modules/content/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import { type ContentSource, contentClient, sourceName } from './client.ts'
import { refuseLastGone } from './last-document.ts'
import { EVERYTHING_PUBLISHED, LIVE_PREVIEW_SECRETS } from './queries.ts'
import type { ContentSnapshot } from './snapshot.ts'
import { storedSnapshot } from './stored-snapshot.ts'
import { BrokenContent, type PublishedContent, validateContent } from './validate.ts'

export interface ContentOptions {
  readonly source: ContentSource
  /** Where the last good content is kept, as `content-snapshot.json`. */
  readonly dataDir: string
  readonly log: Log
  readonly clock: Clock
}

/** A site that was never given any content cannot start; the message tells the operator why, and what to do. */
export class NoContent extends Error {
  override readonly name = 'NoContent'

  /** @param source the project and the dataset */
  constructor(cause: unknown, source: string) {
    super(whyNone(cause, source), { cause })
  }
}

function whyNone(cause: unknown, source: string): string {
  if (cause instanceof BrokenContent) {
    const [first = '', ...more] = cause.message.split('\n')
    const others = more.length > 0 ? ` (and ${more.length} more)` : ''
    return `The content of ${source} cannot be shown: ${first}${others}. Mend it in the Studio, publish, and start again.`
  }
  const status = (cause as { statusCode?: unknown }).statusCode
  if (status === 401 || status === 403)
    return `The content service refuses to show ${source}: SANITY_READ_TOKEN must be a token of that project that may read.`
  if (status === 404)
    return `The content service knows no ${source}: SANITY_PROJECT_ID and SANITY_DATASET must be as sanity.io/manage has them.`
  const seen = typeof status === 'number' ? `it answers ${status}` : `nobody answers${codeOf(cause)}`
  return `The content of ${source} could not be fetched (${seen}), and none is kept from before: see whether this machine reaches the network, and whether SANITY_PROJECT_ID is right, and start again.`
}

/** The system's word for it, `ENOTFOUND` say, from wherever it was wrapped. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string') return `: ${each.code}`
  return ''
}

export interface ContentRoom extends Content {
  /** The last good content. Throws only before `load`. */
  snapshot(): ContentSnapshot
  /**
   * Fetches what is published; when that fails, takes the last good content from disk. Rejects only when there
   * is neither: a site that was never given any content has nothing to show, and the operator should hear it.
   */
  load(): Promise<void>
  /**
   * Fetches again; true when something changed. On any failure the old content stays, the log says why, and
   * the answer is false. Never rejects. Calls made at the same time wait for each other.
   */
  refresh(): Promise<boolean>
  /** The outcome of the last fetch of the content. */
  state(): ContentState
  /**
   * The content as it would be if every draft were published. Rejects with BrokenContent when that would be
   * refused, with something else when the CMS does not answer.
   */
  drafts(): Promise<ContentSnapshot>
  /**
   * Did the Studio write this secret down within the hour, for somebody to look at drafts with?
   * @throws Problem temporarily-unavailable when the content service does not answer
   */
  isPreviewSecret(secret: string): Promise<boolean>
  /** The ids a card may be given to, in the order of the current list. */
  listedNgoIds(): readonly string[]
}

/** Keeps one checked snapshot of everything published, in memory and on disk (product.md#content). */
export function createContent({ source, dataDir, log, clock }: ContentOptions): ContentRoom {
  const client = contentClient(source)
  const drafting = client.withConfig({ perspective: 'drafts' })
  const raw = client.withConfig({ perspective: 'raw' })
  const disk = storedSnapshot(dataDir, sourceName(source))
  let current: ContentSnapshot | undefined
  let checkedAt = 0
  let fault: ContentFault | undefined
  let queue: Promise<unknown> = Promise.resolve()

  function snapshot(): ContentSnapshot {
    if (current === undefined) throw new Error('Content was asked for before it was loaded')
    return current
  }

  async function load(): Promise<void> {
    current = await lastGood()
    try {
      await update()
    } catch (error) {
      if (current === undefined) throw new NoContent(error, sourceName(source))
      fault = faultOf(error)
      log.error('content-last-good', error, { releasedAt: current.releasedAt })
    }
  }

  function refresh(): Promise<boolean> {
    const turn = queue.then(update).catch((error: unknown) => {
      report(error)
      return false
    })
    queue = turn
    return turn
  }

  function faultOf(error: unknown): ContentFault {
    checkedAt = clock()
    const found: Omit<ContentFault, 'since'> =
      error instanceof BrokenContent
        ? { kind: 'broken', says: error.message.split('\n') }
        : { kind: 'unreachable', says: [] }
    return { since: isSameFault(found, fault) ? fault.since : checkedAt, ...found }
  }

  /** A fault that goes on is told once: it is looked for every minute. */
  function report(error: unknown): void {
    const before = fault
    fault = faultOf(error)
    if (isSameFault(fault, before)) return
    if (fault.kind === 'unreachable') log.error('content-kept', error)
    else log.error('content-broken', error, { fields: fault.says.slice(0, MOST_TOLD).join('; ') })
  }

  /** @throws BrokenContent */
  function checked(answer: object): PublishedContent {
    const content = validateContent(answer)
    refuseLastGone(answer, current)
    return content
  }

  async function update(): Promise<boolean> {
    const fetched = checked(await everythingFrom(client))
    checkedAt = clock()
    fault = undefined
    const content = sharingParts(withHistory(fetched, current), current)
    if (current !== undefined && isSameContent(content, current)) return false
    current = { ...content, releasedAt: clock() }
    log.info('content-released', { ngos: current.ngoList.ngos.length, year: current.ngoList.year })
    await keep(current)
    return true
  }

  async function lastGood(): Promise<ContentSnapshot | undefined> {
    try {
      return await disk.read()
    } catch (error) {
      log.error('content-stored-unreadable', error)
      return undefined
    }
  }

  /** A full disk must not keep an edit from going live: it costs the last good copy, not the page. */
  async function keep(snapshot: ContentSnapshot): Promise<void> {
    try {
      await disk.write(snapshot)
    } catch (error) {
      log.error('content-not-stored', error)
    }
  }

  async function drafts(): Promise<ContentSnapshot> {
    const fetched = checked(await everythingFrom(drafting))
    return { ...withHistory(fetched, current), releasedAt: clock() }
  }

  async function isPreviewSecret(secret: string): Promise<boolean> {
    const known = await raw.fetch<string[]>(LIVE_PREVIEW_SECRETS, { secret }).catch((cause: unknown) => {
      throw Object.assign(new Problem('temporarily-unavailable', { retryAfterSeconds: 5 }), { cause })
    })
    return known.length > 0
  }

  function state(): ContentState {
    const { releasedAt } = snapshot()
    return { releasedAt, checkedAt, ...(fault && { fault }) }
  }

  return {
    snapshot,
    load,
    refresh,
    state,
    drafts,
    isPreviewSecret,
    listedNgoIds: () => snapshot().ngoList.ngos.map(({ id }) => id),
  }
}

/** The client takes whatever comes: a page of a proxy, or half an answer, is no content that somebody published. */
async function everythingFrom(client: SanityClient): Promise<object> {
  const answer: unknown = await client.fetch(EVERYTHING_PUBLISHED)
  if (typeof answer === 'object' && answer !== null) return answer
  throw new Error('the content service answered with something that is no content')
}

/** How many faults are reported at most. The first ones are enough to begin with. */
const MOST_TOLD = 10

const isSameFault = (
  one: Omit<ContentFault, 'since'>,
  other: ContentFault | undefined,
): other is ContentFault => one.kind === other?.kind && isDeepStrictEqual(one.says, other.says)

/** Once listed, an organisation keeps its name in history, even when the operator deletes it from the CMS. */
function withHistory(content: PublishedContent, before: ContentSnapshot | undefined): PublishedContent {
  const known = new Set(content.knownNgos.map(({ id }) => id))
  const gone = (before?.knownNgos ?? []).filter(({ id }) => !known.has(id))
  return gone.length === 0 ? content : { ...content, knownNgos: [...content.knownNgos, ...gone] }
}

/** A part that says what it said before is the same object as before: who has read it need not read it again. */
function sharingParts(content: PublishedContent, before: ContentSnapshot | undefined): PublishedContent {
  if (before === undefined) return content
  const shared = Object.entries(content).map(([name, part]) => {
    const known: unknown = Reflect.get(before, name)
    return [name, isDeepStrictEqual(part, known) ? known : part]
  })
  return Object.fromEntries(shared)
}

/** @param content shares its unchanged parts with the content before */
function isSameContent(content: PublishedContent, { releasedAt: _, ...before }: ContentSnapshot): boolean {
  const names = Object.keys(content)
  return (
    names.length === Object.keys(before).length &&
    names.every(name => Reflect.get(content, name) === Reflect.get(before, name))
  )
}
