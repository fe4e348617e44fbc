/**
 * What every screen's switches do: the language choice is remembered in a cookie (a setting the visitor made,
 * product.md#languages), the calm switch in storage (product.md#waits-and-motion), menus close on Escape, the focus
 * follows the visitor to a new screen, and the display face is fetched once the first paint is over. Kept tiny: the
 * receiver's story loads it too.
 */
import { allowsStatistics } from '#domain/consent/consent.ts'
import statistics from '#screens/shared/analytics/start.ts?own-file'
import unsentPolls from '#screens/shared/polls/unsent-polls.ts?own-file'
import {
  ARRIVING_KEY,
  CALM_KEY,
  CONSENT_CHANGED,
  CONSENT_KEY,
  IDENTIFIER_KEYS,
  LANGUAGE_COOKIE,
  UNSENT_POLLS_KEY,
} from '#wire/browser-names.ts'
import keptPages from './keep-pages.ts?own-file'

const root = document.documentElement

const showCalm = (): void => {
  for (const button of document.querySelectorAll('[data-action="calm"]'))
    button.setAttribute('aria-pressed', String(root.classList.contains('calm')))
}

// From the document: the story puts another screen's switches in place of these.
showCalm()
document.addEventListener('toggle', showCalm, true)
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  const language = target.closest<HTMLElement>('[data-language]')?.dataset.language
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  if (language) document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
  if (!target.closest('[data-action="calm"]')) return
  const on = root.classList.toggle('calm')
  showCalm()
  try {
    localStorage.setItem(CALM_KEY, on ? 'on' : 'off')
  } catch {
    // Storage is blocked: the choice holds for this page.
  }
})

document.addEventListener('keydown', event => {
  const open = event.key === 'Escape' && document.querySelector<HTMLDetailsElement>('details.switch[open]')
  if (!open) return
  open.open = false
  open.querySelector('summary')?.focus()
})

/**
 * On a change of screen the focus goes to the new heading: a screen reader says it, and Tab goes on from there. Not
 * where a visitor arrives, reloads or goes back, nor where something has the focus already. A page that only leads on
 * leaves a note that what follows is an arrival still.
 */
function greetFromHeading(): void {
  let arrives = !document.referrer.startsWith(`${location.origin}/`)
  try {
    arrives ||= sessionStorage.getItem(ARRIVING_KEY) !== null
    sessionStorage.removeItem(ARRIVING_KEY)
  } catch {
    // Storage is blocked: there is no such note.
  }
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // Where a form came back, what is wrong with it comes first.
  const heading =
    document.querySelector<HTMLElement>('main [autofocus]') ?? document.querySelector<HTMLElement>('main h1')
  if (arrives || visit?.type !== 'navigate' || location.hash || document.activeElement !== document.body)
    return
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
greetFromHeading()

const fetchDisplayFace = (): void => {
  const face = new FontFace('Noto Serif Display', `url(${root.dataset.displayFace})`, { weight: '400 600' })
  face.load().then(
    () => document.fonts.add(face),
    () => {},
  )
}

/**
 * Statistics come only once the page has nothing left to do, and only after an answer that allows them; a browser
 * that says it does not want to be measured is not (product.md#privacy). Until then not even their code is fetched.
 */
const measure = (): void => {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean }
  try {
    const isAllowed = allowsStatistics(localStorage.getItem(CONSENT_KEY))
    if (isAllowed && !globalPrivacyControl && doNotTrack !== '1')
      import(/* @vite-ignore */ statistics).catch(() => {})
    // Taken back in another tab, while nothing in this one listened.
    else for (const key of IDENTIFIER_KEYS) sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked: no answer can be kept, so nothing is measured.
  }
}
addEventListener(CONSENT_CHANGED, measure)

/** The browser's own bar is of the page's paper, whichever theme that is. */
const tint = (): void =>
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--paper'))
tint()
new MutationObserver(tint).observe(root, { attributeFilter: ['data-theme'] })

/**
 * Sends polls that were submitted and did not arrive. They wait in the tab (screens/shared/polls/polls.store.ts),
 * with any answer to the consent question.
 */
const sendUnsentPolls = (): void => {
  let waits = window.name.includes(UNSENT_POLLS_KEY)
  try {
    waits ||= sessionStorage.getItem(UNSENT_POLLS_KEY) !== null
  } catch {
    // Storage is blocked: the tab's name has said it.
  }
  // The page that a poll was sent on is on its way elsewhere.
  if (waits && !document.querySelector('form[data-poll]'))
    import(/* @vite-ignore */ unsentPolls).catch(() => {})
}

/** Nobody who is only passing by fetches what keeps pages for when there is no connection. */
const KEPT_AFTER_MS = 4_000

const settled = (): void => {
  sendUnsentPolls()
  fetchDisplayFace()
  // Not in every browser we serve.
  if ('requestIdleCallback' in window) requestIdleCallback(measure)
  else setTimeout(measure, 1_000)
  // While the site is developed there is no such file.
  if (import.meta.env.PROD)
    setTimeout(() => import(/* @vite-ignore */ keptPages).catch(() => {}), KEPT_AFTER_MS)
}

/**
 * Tells the page's other scripts that the first paint is over. The load event may come before it, and work that
 * begins then would delay the paint.
 */
const whenPainted = (): void => {
  const done = (): void => {
    settled()
    dispatchEvent(new Event('painted'))
  }
  // Not in every browser we serve.
  if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) done()
  else
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      done()
    }).observe({ type: 'paint', buffered: true })
}
if (document.readyState === 'complete') whenPainted()
else addEventListener('load', whenPainted)

/*
 * The page that is left is what dissolves: it alone is captured for the change of pages (screens/shared/kit/motion.css). Kept by
 * the browser for Back, it must come again without the mark.
 */
addEventListener('pageswap', () => root.classList.add('leaving'))
addEventListener('pagehide', () => root.classList.remove('leaving'))
