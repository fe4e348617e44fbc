/**
 * The memorial: one photo at a time, by buttons, arrow keys or a swipe. Without this script all of them stand below
 * one another. From the third photo on a button leads, over two sentences, to the mission.
 */
import { setWay } from '#screens/shared/flow/way.store.ts'
import { fill } from '#screens/shared/kit/fill.ts'

/** A finger that has moved so far sideways, px, and more than up or down, has swiped. */
const SWIPE_PX = 40
/** The photo, from 1, that brings the way on. */
const BUTTON_FROM = 3

const root = document.querySelector<HTMLElement>('[data-memorial]')
if (root) show(root)

function show(root: HTMLElement): void {
  setWay('long')
  const photos = [...root.querySelectorAll<HTMLElement>('[data-photo]')]
  const [previous, next] = ['previous', 'next'].map(action =>
    root.querySelector<HTMLButtonElement>(`[data-action="${action}"]`),
  )
  const place = root.querySelector<HTMLElement>('[data-place]')
  const on = root.querySelector<HTMLElement>('[data-on]')
  const steps = [...root.querySelectorAll<HTMLElement>('[data-disclaimer]')]
  if (!previous || !next || !place || !on) return
  let shown = 0
  let seen = 1

  const fetchAhead = (index: number): void => {
    const image = photos[index]?.querySelector('img')
    if (image) image.loading = 'eager'
  }

  const paint = (): void => {
    photos.forEach((photo, index) => {
      photo.hidden = index !== shown
    })
    seen = Math.max(seen, shown + 1)
    previous.setAttribute('aria-disabled', String(shown === 0))
    next.setAttribute('aria-disabled', String(shown === photos.length - 1))
    place.textContent = fill(place.dataset.place ?? '', { number: shown + 1, count: photos.length })
    on.hidden = seen < Math.min(BUTTON_FROM, photos.length)
    fetchAhead(shown)
    // Eager pictures are fetched even where they are hidden: the next one when this screen has all of its own.
    if (document.readyState === 'complete') fetchAhead(shown + 1)
  }
  const move = (by: 1 | -1): void => {
    const target = shown + by
    if (target < 0 || target >= photos.length) return
    shown = target
    paint()
  }

  previous.addEventListener('click', () => move(-1))
  next.addEventListener('click', () => move(1))
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    if (event.key === 'ArrowLeft') move(-1)
    if (event.key === 'ArrowRight') move(1)
  })
  let from: { x: number; y: number } | undefined
  root.addEventListener('pointerdown', ({ clientX, clientY, isPrimary }) => {
    if (isPrimary) from = { x: clientX, y: clientY }
  })
  root.addEventListener('pointerup', ({ clientX, clientY }) => {
    const [x, y] = [clientX - (from?.x ?? clientX), clientY - (from?.y ?? clientY)]
    from = undefined
    if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > Math.abs(y)) move(x < 0 ? 1 : -1)
  })
  root.addEventListener('pointercancel', () => {
    from = undefined
  })

  const step = (index: number): void => {
    on.hidden = true
    steps.forEach((each, at) => {
      each.hidden = at !== index
    })
    steps[index]?.querySelector<HTMLElement>('[data-action]')?.focus()
  }
  on.querySelector('button')?.addEventListener('click', () => step(0))
  steps[0]?.querySelector('button')?.addEventListener('click', () => step(1))

  for (const image of root.querySelectorAll('img')) {
    const fail = (): void => image.closest('figure')?.setAttribute('data-failed', '')
    if (image.complete && image.naturalWidth === 0 && image.loading === 'eager') fail()
    image.addEventListener('error', fail)
  }
  root.dataset.ready = ''
  paint()
  addEventListener('load', () => fetchAhead(shown + 1), { once: true })
}
