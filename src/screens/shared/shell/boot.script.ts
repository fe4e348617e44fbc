/**
 * Runs in the head, before the first paint. It applies the visitor's theme, their flow variant (on sender pages) and
 * the calm switch, so that the first frame is right. It also holds presses that come before the page's scripts
 * listen.
 */
import { CALM_KEY, TAB_NAME_PREFIX, THEME_KEY, WAY_KEY } from '#wire/browser-names.ts'

const root = document.documentElement
root.classList.add('js')

let persistentStorage: Storage | undefined
let ofTab: Storage | undefined
let tabName: Record<string, string | undefined> = {}
try {
  persistentStorage = localStorage
  ofTab = sessionStorage
} catch {
  // Storage is blocked: the choices are in the tab's name (screens/shared/storage/persisted.ts), else the defaults stand.
  try {
    tabName = JSON.parse(window.name.slice(TAB_NAME_PREFIX.length)) || tabName
  } catch {
    // Another site's name, or none.
  }
}
const kept = (storage: Storage | undefined, key: string) => (storage ? storage.getItem(key) : tabName[key])

if ('ownTheme' in root.dataset) {
  const theme = kept(ofTab, THEME_KEY) || kept(persistentStorage, THEME_KEY)
  if (theme) root.dataset.theme = theme
  root.dataset.way = kept(ofTab, WAY_KEY) || ''
}
if (kept(persistentStorage, CALM_KEY) === 'on') root.classList.add('calm')

/** Do the page's own scripts listen? An island listens once it says so. */
let isLive = false
const held: HTMLElement[] = []

/**
 * A published page holds the links of the short variant. A link with another address in the long variant carries that
 * address, and gets it when it is followed. A press on a button or a label is held until a script listens. On a
 * screen where a tap continues, every press is held, also one on a link.
 */
addEventListener(
  'click',
  event => {
    const closest = (selector: string) => (event.target as Element).closest?.<HTMLElement>(selector)
    const onLongWay = root.dataset.way === 'long' && closest('a[data-long-href]')
    if (onLongWay) (onLongWay as HTMLAnchorElement).href = onLongWay.dataset.longHref!
    const pressed =
      closest('button,label') || (!closest('summary,input') && closest('main[data-wait] a,main[data-wait]'))
    if (!pressed) return
    const island = pressed.closest('astro-island[ssr]:not([client=only])')
    if (!island && isLive) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (island) island.addEventListener('astro:hydrate', () => pressed.click())
    else held.push(pressed)
  },
  true,
)
// `live` comes from a page's own script, the other at the latest when all scripts have run.
for (const event of ['live', 'DOMContentLoaded'])
  addEventListener(event, () => {
    isLive = true
    for (const pressed of held.splice(0)) pressed.click()
  })

// The browser may break off the fade between two pages: where a page is slow, in the back, takes no part in it, or was
// shown before the fade was ready. No event of the page tells of the last. It is no error, and not reported as one.
addEventListener('unhandledrejection', event => {
  const { reason } = event
  if (reason instanceof DOMException && /ransition/.test(reason.message)) event.preventDefault()
})
