import { isDeepStrictEqual } from 'node:util'
import type { Clock, Content, Log } from '#server/app.ts'
import { type ContentSource, contentClient, sourceName } from './client.ts'
import { EVERYTHING_PUBLISHED } from './queries.ts'
import type { ContentSnapshot } from './snapshot.ts'
import { storedSnapshot } from './stored-snapshot.ts'
import { type PublishedContent, validateContent } from './validate.ts'

export interface ContentOptions {
  readonly source: ContentSource
  /** Where the last good content is kept, as `content-snapshot.json`. */
  readonly dataDir: string
  readonly log: Log
  readonly clock: Clock
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
  /** The ids a card may be given to, in the order of the current list. */
  listedNgoIds(): readonly string[]
}

/** Keeps one checked snapshot of everything published, in memory and on disk (architecture §6). */
export function createContent({ source, dataDir, log, clock }: ContentOptions): ContentRoom {
  const client = contentClient(source)
  const disk = storedSnapshot(dataDir, sourceName(source))
  let current: ContentSnapshot | undefined
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
      if (current === undefined) throw error
      log.error('content-last-good', error, { releasedAt: current.releasedAt })
    }
  }

  function refresh(): Promise<boolean> {
    const turn = queue.then(update).catch((error: unknown) => {
      log.error('content-kept', error)
      return false
    })
    queue = turn
    return turn
  }

  async function update(): Promise<boolean> {
    const fetched = validateContent(await client.fetch(EVERYTHING_PUBLISHED))
    const content = withHistory(fetched, current)
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

  return { snapshot, load, refresh, listedNgoIds: () => snapshot().ngoList.ngos.map(({ id }) => id) }
}

/** Once listed, an organisation keeps its name in history, even when the operator deletes it from the CMS. */
function withHistory(content: PublishedContent, before: ContentSnapshot | undefined): PublishedContent {
  const known = new Set(content.knownNgos.map(({ id }) => id))
  const gone = (before?.knownNgos ?? []).filter(({ id }) => !known.has(id))
  return gone.length === 0 ? content : { ...content, knownNgos: [...content.knownNgos, ...gone] }
}

function isSameContent(content: PublishedContent, { releasedAt: _, ...before }: ContentSnapshot): boolean {
  return isDeepStrictEqual(content, before)
}
