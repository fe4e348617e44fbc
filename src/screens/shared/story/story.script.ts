/**
 * The recipient's story, without a framework: a tap counts once the screen's wait is over; the next screen was
 * fetched meanwhile and is put in place beneath the fade; the address follows, and going back works. Without
 * this script every step is an ordinary link. Waits come from the page (`data-wait`, ms), which has them from
 * the domain's table.
 */

import { isCalm } from '#screens/shared/flow/calm.ts'
import { leaveAtOnce } from '#screens/shared/flow/tap-to-continue.ts'
import { SCREEN_SHOWN } from '#wire/browser-names.ts'
import { leadOn, main } from './lead-on.ts'

const root = document.documentElement
let shownPath = location.pathname
let fetched: { href: string; page: Promise<Document | undefined> } | undefined
/** Where the visitor is being led and has not arrived: a second tap on the way there leads nowhere else. */
let underway: string | undefined

/** Longer than a slow phone needs for a screen; then an ordinary navigation shows at least that something happens. */
const TIMEOUT_MS = 8_000

async function fetchText(href: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(href, { credentials: 'same-origin', signal })
    // Redirected: the card has changed since (used on another phone); the real navigation shows where to.
    return response.ok && !response.redirected ? await response.text() : undefined
  } catch {
    return undefined
  }
}

async function fetchPage(href: string): Promise<Document | undefined> {
  const text = await fetchText(href)
  return text === undefined ? undefined : new DOMParser().parseFromString(text, 'text/html')
}

/** What comes next is fetched while the recipient reads: more pictures, the next screen, the code of the last one. */
function fetchAhead(): void {
  document.querySelector('.strip')?.setAttribute('data-ready', '')
  const { next, gift } = main().dataset
  if (next && next !== gift && main().classList.contains('story') && fetched?.href !== next)
    fetched = { href: next, page: fetchPage(next) }
  if (gift && !isPrefetched) {
    isPrefetched = true
    // Not parsed: that page's own inline styles are outside this page's policy.
    void fetchText(gift).then(text => {
      for (const [, url] of text?.matchAll(/(?:component|renderer)-url="([^"]+)"/g) ?? [])
        import(/* @vite-ignore */ url!).catch(() => {})
    })
  }
}
let isPrefetched = false

function show(page: Document): void {
  underway = undefined
  for (const part of ['.top', 'main', '.page-foot'])
    document.querySelector(part)?.replaceWith(page.querySelector(part)!)
  document.title = page.title
  arrive()
  dispatchEvent(new Event(SCREEN_SHOWN))
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  scrollTo(0, 0)
}

async function go(href: string, fade: boolean): Promise<void> {
  if (underway !== undefined) return
  underway = href
  const page = fetched?.href === href ? await fetched.page : undefined
  // Gone back meanwhile.
  if (underway !== href) return
  const isStory = page?.querySelector('main')?.classList.contains('story')
  if (!page || !isStory) {
    underway = undefined
    if (!fade) leaveAtOnce()
    return location.assign(href)
  }
  const swap = (): void => {
    // The next screen is no part of what dissolves: it takes presses from now on (screens/shared/kit/motion.css).
    root.classList.remove('leaving')
    if (underway !== href) return
    history.pushState(null, '', href)
    shownPath = location.pathname
    show(page)
  }
  if (!fade || isCalm() || !document.startViewTransition) return swap()
  root.classList.add('leaving')
  const { ready, finished } = document.startViewTransition(swap)
  // The browser skips a fade in a hidden tab, or when another fade begins. Neither is an error.
  for (const promise of [ready, finished]) promise.catch(() => {})
}

leadOn((href, fade) => void go(href, fade))

addEventListener('popstate', () => {
  // A link within the page (to its content, to the form of the split) leads nowhere else.
  if (location.pathname === shownPath) return
  const path = location.pathname
  shownPath = path
  underway = path
  void fetchPage(location.href).then(page => {
    // Gone on meanwhile: the screen of that address is on its way.
    if (location.pathname !== path) return
    if (page?.querySelector('main')?.classList.contains('story')) show(page)
    else location.reload()
  })
})

function arrive(): void {
  if (document.readyState === 'complete') fetchAhead()
  // Told by the shell: what is asked for before the first paint delays it.
  else addEventListener('painted', fetchAhead, { once: true })
}
arrive()
