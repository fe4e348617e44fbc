/**
 * Has the service worker keep pages for when there is no connection (docs/decisions/0041-offline.md). After a plain
 * no the worker is removed with everything it kept. Each page does so again: the visitor may have left the page of
 * the answer before it was done.
 */
import { allowsKeptPages } from '#domain/consent/consent.ts'
import { SERVICE_WORKER_PATH } from '#paths'
import { CONSENT_CHANGED, CONSENT_KEY, PAGES_CACHE } from '#wire/browser-names.ts'

async function keepPages(): Promise<void> {
  try {
    const workers = navigator.serviceWorker
    if (allowsKeptPages(localStorage.getItem(CONSENT_KEY))) {
      await workers.register(SERVICE_WORKER_PATH)
      return
    }
    await (await workers.getRegistration('/'))?.unregister()
    for (const name of await caches.keys()) if (name.startsWith(PAGES_CACHE)) await caches.delete(name)
  } catch {
    // Storage is blocked, or the browser has no such worker: there is the page, and nothing is kept.
  }
}

keepPages()
addEventListener(CONSENT_CHANGED, keepPages)
