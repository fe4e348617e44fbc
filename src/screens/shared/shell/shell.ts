/**
 * What every screen's switches do: the language choice is remembered in a cookie (a setting the visitor made,
 * product.md#languages), the calm switch in storage (product.md#waits-and-motion), the focus
 * follows the visitor to a new screen, and the display face is fetched once the first paint is over. Kept tiny: it
 * stands in every page. What can wait for the first paint is a file that all pages share (`later`).
 */
import { ARRIVING_KEY, CALM_KEY, LANGUAGE_COOKIE } from '#wire/browser-names.ts'

const root = document.documentElement

const showCalm = (): void => {
  for (const button of document.querySelectorAll('[data-action="calm"]'))
    button.setAttribute('aria-pressed', String(root.classList.contains('calm')))
}

// From the document: the story puts another screen's switches in place of these.
showCalm()
document.addEventListener('toggle', showCalm, true)
document.addEventListener('click', event => {
  // What is clicked is always an element.
  const target = event.target as Element
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

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  const opener = document.querySelector<HTMLElement>('.switch[open] summary')
  opener?.click()
  opener?.focus()
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
  if (heading.tabIndex < 0) heading.tabIndex = -1
  heading.focus({ preventScroll: !heading.hasAttribute('autofocus') })
}
greetFromHeading()

const fetchDisplayFace = (): void => {
  const face = new FontFace('Noto Serif Display', `url(${root.dataset.displayFace})`, { weight: '400 600' })
  face.load().then(
    () => document.fonts.add(face),
    () => {},
  )
}

/** The browser's own bar is of the page's paper, whichever theme that is. */
const tint = (): void =>
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', getComputedStyle(root).getPropertyValue('--paper'))
tint()
new MutationObserver(tint).observe(root, { attributeFilter: ['data-theme'] })

/** The first paint is over. The load event may come before it, and work that begins then would delay the paint. */
const painted = new Promise<void>(done => {
  const whenPainted = (): void => {
    // Not in every browser we serve.
    if (!PerformanceObserver.supportedEntryTypes?.includes('paint')) done()
    else
      new PerformanceObserver((list, observer) => {
        if (!list.getEntriesByName('first-contentful-paint')[0]) return
        observer.disconnect()
        done()
      }).observe({ type: 'paint', buffered: true })
  }
  if (document.readyState === 'complete') whenPainted()
  else addEventListener('load', whenPainted)
})
painted.then(() => {
  fetchDisplayFace()
  // For the page's other scripts.
  dispatchEvent(new Event('painted'))
})

/**
 * Has a file of ours fetched once the page is painted: what each page would carry otherwise, and a browser keeps.
 * @returns fetches it at once, for a press that comes sooner
 */
export function later<T>(file: string): () => Promise<T> {
  const fetchIt = (): Promise<T> => import(/* @vite-ignore */ file)
  // Offline, the page goes on without it.
  painted.then(fetchIt).catch(() => {})
  return fetchIt
}

/*
 * The page that is left is what dissolves: it alone is captured for the change of pages (screens/shared/kit/motion.css). Kept by
 * the browser for Back, it must come again without the mark.
 */
addEventListener('pageswap', () => root.classList.add('leaving'))
addEventListener('pagehide', () => root.classList.remove('leaving'))
