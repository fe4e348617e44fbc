import type { Fetch } from './shared-listening.ts'

/** Requests that change the content. They may be sent again: a full disk kept no part of them. */
const CHANGES = /\/data\/(?:actions|mutate)\//
const INSUFFICIENT_STORAGE = 507
const AGAIN_AFTER_MS = 3_000

export interface DiskParts {
  readonly fetch: Fetch
  /** Tells the operator. @returns takes the message away */
  readonly tell: () => () => void
  /** Waits for so many ms; rejects when the request is given up. */
  readonly wait: (ms: number, signal: AbortSignal | null | undefined) => Promise<void>
}

/**
 * A `fetch` whose changes outlast a full disk. The Studio would show that it is saving, for ever, and send what was
 * typed only with the next letter; here it is sent until it is kept. A file is refused at once, and told of all the same.
 */
export function holdThroughFullDisk({ fetch, tell, wait }: DiskParts): Fetch {
  let takeBack: (() => void) | undefined
  return async (address, init) => {
    const isChange = CHANGES.test(new URL(address).pathname)
    for (;;) {
      const response = await fetch(address, init)
      if (response.status === INSUFFICIENT_STORAGE) takeBack ??= tell()
      else if (response.status < 500 && isChange) {
        // Refused for a reason of its own (409), it waits for no room either; the next one says so where there is none.
        takeBack?.()
        takeBack = undefined
      }
      if (response.status !== INSUFFICIENT_STORAGE || !isChange) return response
      await wait(AGAIN_AFTER_MS, init?.signal)
    }
  }
}

/** See `DiskParts.wait`. */
export function waitUnlessAborted(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}

const STYLE = `
.disk-full { position: fixed; z-index: 1000000; left: 16px; bottom: 16px; width: min(420px, calc(100vw - 32px)); box-sizing: border-box;
  padding: 16px; border-radius: 6px; font: 15px/1.45 system-ui, sans-serif; color: #fff; background: #a8192b;
  box-shadow: 0 8px 32px rgb(0 0 0 / 30%) }
/* On a telephone the foot of the document, which says what is saved, stays in sight. */
@media (max-width: 599px) { .disk-full { bottom: 64px } }
.disk-full strong { display: block; margin-bottom: 4px; font-weight: 600 }`

/** Shows a message above the Studio, which stays open. @returns takes the message away */
export function tellOfFullDisk(page: Document): () => void {
  const notice = page.createElement('div')
  notice.className = 'disk-full'
  notice.setAttribute('role', 'alert')
  page.body.append(notice)
  // What comes after the notice itself is what screen readers tell.
  notice.innerHTML = `<style>${STYLE}</style><strong>The site’s disk is full: nothing is saved.</strong>
Make room on its machine (old files in DATA_DIR/backups, for instance) and leave this window open: what you typed is kept
here and saved as soon as there is room. A picture that was refused has to be chosen again.`
  return () => notice.remove()
}
