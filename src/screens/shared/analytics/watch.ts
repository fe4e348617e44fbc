import { TIMINGS } from '#domain/timings.ts'
import { throttled } from '#screens/shared/analytics/throttled.ts'
import type { Tracker } from '#screens/shared/analytics/tracker.ts'
import { REQUEST_FAILED, TRACK } from '#wire/browser-names.ts'

type Track = Tracker['track']

/** A touch that ends within this share of the window did not move. */
const MOVED = 0.02

/** Listens to what the visitor does. @returns a function that tells of the screen that is shown now */
export function watchVisitor(track: Track): () => void {
  const showScreen = (): void => {
    const { screen } = document.querySelector('main')?.dataset ?? {}
    if (screen) track('screen-view', { screen })
  }
  watchScreens(showScreen)
  watchScroll(track)
  watchTouch(track)
  watchPanels(track)
  screen.orientation?.addEventListener(
    'change',
    throttled(TIMINGS.orientationThrottle, () => track('orientation', { type: screen.orientation.type })),
  )
  addEventListener(REQUEST_FAILED, event =>
    track('request-error', (event as CustomEvent<Record<string, unknown>>).detail),
  )
  // What other scripts of the page have to tell.
  addEventListener(TRACK, event => {
    const { name, metadata } = (event as CustomEvent<{ name: string; metadata: Record<string, unknown> }>)
      .detail
    track(name, metadata)
  })
  return showScreen
}

/** The recipient's story puts one screen in another's place without a new page. */
function watchScreens(showScreen: () => void): void {
  let shown = document.querySelector('main')
  new MutationObserver(() => {
    const main = document.querySelector('main')
    if (main === shown) return
    shown = main
    showScreen()
  }).observe(document.body, { childList: true })
}

function watchScroll(track: Track): void {
  addEventListener(
    'scroll',
    throttled(TIMINGS.scrollThrottle, () => track('scroll', { depth: depthOf(document.documentElement) })),
    { passive: true },
  )
}

function watchTouch(track: Track): void {
  let start: { readonly x: number; readonly y: number } | undefined
  const at = ({ changedTouches: [touch] }: TouchEvent) => ({
    x: (touch?.clientX ?? 0) / innerWidth,
    y: (touch?.clientY ?? 0) / innerHeight,
  })
  const percent = ({ x, y }: { x: number; y: number }) => ({
    x: Math.round(x * 100),
    y: Math.round(y * 100),
  })
  addEventListener(
    'touchstart',
    event => {
      start = at(event)
    },
    { passive: true },
  )
  addEventListener(
    'touchmove',
    throttled(TIMINGS.touchScrollThrottle, (event: TouchEvent) => track('touch-scroll', percent(at(event)))),
    { passive: true },
  )
  addEventListener(
    'touchend',
    event => {
      if (!start) return
      const end = at(event)
      const moved = { x: end.x - start.x, y: end.y - start.y }
      if (Math.hypot(moved.x, moved.y) > MOVED) track('touch-end', percent(moved))
    },
    { passive: true },
  )
}

/** How far a panel was read, when it is closed. Neither event bubbles: they are caught on their way down. */
function watchPanels(track: Track): void {
  const read = new WeakMap<Element, number>()
  document.addEventListener(
    'scroll',
    ({ target }) => {
      const panel = target instanceof Element ? target.closest('dialog') : null
      if (panel && target instanceof Element) read.set(panel, Math.max(read.get(panel) ?? 0, depthOf(target)))
    },
    { capture: true, passive: true },
  )
  document.addEventListener(
    'close',
    ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.panelName)
        track('panel-closed', { panel: target.dataset.panelName, depth: read.get(target) ?? 0 })
    },
    true,
  )
}

/** How far down something is scrolled, percent. */
function depthOf({ scrollTop, scrollHeight, clientHeight }: Element): number {
  const most = scrollHeight - clientHeight
  return most <= 0 ? 100 : Math.round((Math.min(most, scrollTop) / most) * 100)
}
