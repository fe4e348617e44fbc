import type { App } from '#server/http/app.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'

/** The application for the rendering of one page, and whether that page would come out the same now. */
export interface WatchedApp {
  readonly app: App
  /**
   * Is every part of the content that the page read what it was, and did the page ask the application for nothing
   * else that can change?
   */
  readonly isUnchanged: () => boolean
}

/** What stays as it is for as long as the server runs, or says nothing on a page. */
const LASTING: ReadonlySet<PropertyKey> = new Set<keyof App>(['settings', 'log'])

/**
 * Notes what a page reads while it is rendered. A part of the content that no publish has changed is the same object
 * after it (`content/content.ts`), so parts are told apart by identity.
 */
export function watchReads(app: App): WatchedApp {
  const read = new Map<PropertyKey, unknown>()
  let isKnown = true
  const note = (key: PropertyKey, value: unknown): void => {
    // The content was replaced while the page was rendered: it may show some of both.
    if (read.has(key) && read.get(key) !== value) isKnown = false
    read.set(key, value)
  }
  const content = {
    ...app.content,
    snapshot: () => watched(app.content.snapshot(), note),
  }
  const parts = { ...app, content }
  return {
    app: new Proxy(parts, {
      get(target, key) {
        if (key !== 'content' && !LASTING.has(key)) isKnown = false
        return Reflect.get(target, key)
      },
    }),
    isUnchanged() {
      const now = app.content.snapshot()
      return isKnown && [...read].every(([key, value]) => Reflect.get(now, key) === value)
    },
  }
}

/** A snapshot that tells which of its parts are read. Whoever copies it, or lists its parts, reads them all. */
const watched = (
  snapshot: ContentSnapshot,
  note: (key: PropertyKey, value: unknown) => void,
): ContentSnapshot =>
  new Proxy(snapshot, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      note(key, value)
      return value
    },
    has(target, key) {
      note(key, Reflect.get(target, key))
      return Reflect.has(target, key)
    },
    ownKeys(target) {
      for (const key of Reflect.ownKeys(target)) note(key, Reflect.get(target, key))
      return Reflect.ownKeys(target)
    },
  })
