/**
 * Keeps the pages that were visited for when there is no connection, and nothing else: no key, no call, no picture
 * (docs/decisions/0041-offline.md). Whatever can be had is always fetched; the browser's own cache keeps the files that
 * pages name.
 */
import { DEFAULT_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#domain/languages.ts'
import { localizedPath, OFFLINE_PATH, parsePath } from '#paths'
import { PAGES_CACHE } from '#wire/browser-names.ts'
import { handlingOf } from './handling.ts'

/** Of the worker's own types this much is needed; those that TypeScript brings do not go with a page's. */
interface Later extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Opening extends Later {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}
interface Worker {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly { readonly url: string }[]> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listen: (event: Later) => void): void
  addEventListener(type: 'fetch', listen: (event: Opening) => void): void
}

/** What is kept belongs to one build: its pages name files that the next one does not have. */
declare const BUILD: string
/** What `keptPages` gives. */
declare const KEPT: readonly string[]

const worker = self as unknown as Worker
const CACHE = PAGES_CACHE + BUILD
const offlineIn = (language: Language): string => localizedPath(language, OFFLINE_PATH)

worker.addEventListener('install', event =>
  event.waitUntil(
    caches
      .open(CACHE)
      .then(cache => cache.addAll(LANGUAGES.map(offlineIn)))
      .then(() => worker.skipWaiting()),
  ),
)

worker.addEventListener('activate', event => event.waitUntil(begin()))

worker.addEventListener('fetch', event => {
  const { method, mode, url } = event.request
  const { pathname, search } = new URL(url)
  // A form that is sent is the browser's own affair: whether it arrived must not be guessed here.
  if (mode !== 'navigate' || method !== 'GET') return
  const handling = handlingOf(pathname, search, KEPT)
  if (handling !== 'leave') event.respondWith(open(event, pathname, search, handling === 'keep'))
})

/** Takes over: what an earlier build kept goes, and the pages that are open were visited, too. */
async function begin(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter(name => name.startsWith(PAGES_CACHE) && name !== CACHE).map(name => caches.delete(name)),
  )
  // The page is asked for while the worker starts: nobody waits for it. Not in every browser we serve.
  await worker.registration.navigationPreload?.enable()
  await worker.clients.claim()
  const cache = await caches.open(CACHE)
  for (const { url } of await worker.clients.matchAll()) {
    const { pathname, search } = new URL(url)
    if (handlingOf(pathname, search, KEPT) === 'keep') await cache.add(pathname)
  }
}

async function open(event: Opening, path: string, search: string, mayKeep: boolean): Promise<Response> {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request))
    if (mayKeep && isForAnybody(response)) {
      const copy = response.clone()
      event.waitUntil(keep(path, copy))
    }
    return response
  } catch {
    const { language: own, rest } = parsePath(path)
    const tags = navigator.languages.map(tag => tag.slice(0, 2))
    const language =
      [new URLSearchParams(search).get('lang'), own, ...tags].find(isLanguage) ?? DEFAULT_LANGUAGE
    for (const known of [path, localizedPath(language, rest), offlineIn(language)]) {
      const response = await caches.match(known)
      if (response) return response
    }
    return Response.error()
  }
}

async function keep(path: string, page: Response): Promise<void> {
  // The visitor may just have said no: what was deleted is not begun again.
  if (await caches.has(CACHE)) await (await caches.open(CACHE)).put(path, page)
}

/** A whole page that the server gives to everybody alike; the operator's drafts, say, are nobody else's. */
const isForAnybody = ({ ok, redirected, headers }: Response): boolean =>
  ok && !redirected && (headers.get('Cache-Control') ?? '').startsWith('public')
