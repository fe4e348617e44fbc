import type { Page, Request } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { idle } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'

test.use({ locale: 'es-ES' })

/**
 * From here on pages hear of their paint only when they are told: on a fast machine it comes before anything that
 * should wait for it, on a slow one after.
 */
async function holdPaint(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const observe = PerformanceObserver.prototype.observe
    PerformanceObserver.prototype.observe = function (options) {
      if (options?.type === 'paint') addEventListener('told', () => observe.call(this, options))
      else observe.call(this, options)
    }
  })
  return () => page.evaluate(() => void dispatchEvent(new Event('told')))
}

test('a screen asks for nothing more before it has painted, then for what comes next', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  const tellOfPaint = await holdPaint(page)
  const story = giftPath(privateKey, 'introduction-1')
  const packages = senderPath('es', 'packages-donation')
  // Chosen, so that Continue is ready and the next screen is fetched.
  await page.addInitScript(() => localStorage.setItem('gift:package', 'their water'))
  for (const [screen, next] of [
    [story, giftPath(privateKey, 'introduction-2')],
    [packages, senderPath('es', 'donation-sender-name')],
  ] as const) {
    const asked: string[] = []
    // Its own scripts, styles and pictures are what it is made of.
    const note = (request: Request): void => {
      if (['fetch', 'font'].includes(request.resourceType())) asked.push(new URL(request.url()).pathname)
    }
    page.on('request', note)
    await page.goto(screen)
    await idle(page)
    expect(asked, screen).toEqual([])
    await tellOfPaint()
    await expect.poll(() => asked, screen).toContain(next)
    expect(
      asked.some(path => path.endsWith('.woff2')),
      screen,
    ).toBe(true)
    page.off('request', note)
  }
})
