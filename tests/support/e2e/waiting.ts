import type { Page } from '@playwright/test'

/** Stops the browser's clock before the first page: from then on it goes as far as a test lets it run. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  // Far enough that a busy machine has not come there by itself.
  await page.clock.pauseAt(60_000)
}

/**
 * Holds every fade that a script begins at its first moment, for tests that look at fades: one that is over, which
 * it soon is on a busy machine, can be looked at no more.
 */
export const holdFades = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { animate } = Element.prototype
    Element.prototype.animate = function (...how: Parameters<typeof animate>) {
      const fade = animate.apply(this, how)
      fade.pause()
      return fade
    }
  })

/**
 * Stops the browser's clock, lets no page lead back to the start of the story, and notes at which moment (ms by that
 * clock) each screen of the story gives way.
 */
export async function stopClock(page: Page): Promise<void> {
  await holdClock(page)
  await page.addInitScript(() => {
    sessionStorage.setItem('gift:opened', '1')
    const left: number[] = []
    const push = history.pushState
    Object.assign(window, { left })
    history.pushState = function (...change: Parameters<typeof push>) {
      left.push(performance.now())
      return push.apply(this, change)
    }
  })
}

/** When the screens of this page gave way. */
export const timesLeft = (page: Page): Promise<number[]> =>
  page.evaluate(() => (window as unknown as { left: number[] }).left)

export const now = (page: Page): Promise<number> => page.evaluate(() => performance.now())

/** Taps where no control is. */
export const tapAnywhere = (page: Page): Promise<void> =>
  page.locator('main').click({ position: { x: 30, y: 60 } })
