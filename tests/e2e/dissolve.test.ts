import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en, contextOptions: { reducedMotion: 'no-preference' } })

/** Notes in every frame of a change of pages how strong the page that goes and the one that comes are. */
const watchFades = (): void => {
  const frames: (readonly [old: number, next: number])[] = []
  Object.assign(window, { frames })
  const opacity = (part: Element, pseudo?: string): number => Number(getComputedStyle(part, pseudo).opacity)
  addEventListener('pagereveal', event => {
    const { viewTransition } = event as Event & {
      viewTransition?: { ready: Promise<void>; finished: Promise<void> }
    }
    if (!viewTransition) return
    let isOver = false
    void viewTransition.finished.then(() => {
      isOver = true
      document.documentElement.dataset.dissolved = ''
    })
    const old = '::view-transition-old(root)'
    // In the last frame the picture of the page that goes may be gone already: then its style is anybody's.
    const isThere = (): boolean =>
      document.getAnimations().some(({ effect }) => (effect as KeyframeEffect).pseudoElement === old)
    const look = (): void => {
      if (isOver) return
      frames.push([
        isThere() ? opacity(document.documentElement, old) : 0,
        opacity(document.querySelector('main')!),
      ])
      requestAnimationFrame(look)
    }
    void viewTransition.ready.then(look)
  })
}

test('no two texts are seen through each other while one page gives way to another', async ({ page }) => {
  await page.addInitScript(watchFades)
  await page.goto('/en/intro/how-it-works-donation')
  await atScreen(page, 'how-it-works-donation')
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
  await expect(page.locator('html')).toHaveAttribute('data-dissolved')
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: [number, number][] }).frames)
  expect(frames.length).toBeGreaterThan(2)
  // Both fade, and never at the same time.
  expect(Math.max(...frames.map(([old]) => old))).toBeGreaterThan(0.5)
  expect(Math.min(...frames.map(([, next]) => next))).toBeLessThan(0.5)
  expect(frames.filter(([old, next]) => old > 0.05 && next > 0.05)).toEqual([])
})
