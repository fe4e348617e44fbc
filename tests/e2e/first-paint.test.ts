import type { Page, Request } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { idle } from '#tests/support/e2e/screens.ts'
import { startSlowLine } from '#tests/support/e2e/slow-line.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { MISSION_KEY, OPENED_KEY, PACKAGE_KEY, SENDER_KEY } from '#wire/browser-names.ts'

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

test('a screen that arrives in pieces is painted whole, and nothing moves', async ({ browser, site }) => {
  const line = await startSlowLine(site.url)
  const { privateKey } = await buyThroughApi(site)
  const context = await browser.newContext({ locale: 'es-ES', viewport: { width: 390, height: 844 } })
  try {
    for (const path of [
      // The question of consent and the entry's words stand at the foot of their screens.
      senderPath('es', 'cookies-settings'),
      '/es/intro',
      senderPath('es', 'packages-donation'),
      senderPath('es', 'lost-link'),
      giftPath(privateKey, 'introduction-1'),
      // The hint before the list keeps its place while the list's own code arrives.
      giftPath(privateKey, 'select-ngo'),
    ]) {
      const page = await context.newPage()
      await page.addInitScript(key => sessionStorage.setItem(key, '1'), OPENED_KEY)
      await page.goto(line.url + path)
      await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
      await idle(page)
      expect(await page.evaluate(shiftsSoFar), path).toEqual([])
      await page.close()
    }
  } finally {
    await context.close()
    line.stop()
  }
})

test('what was chosen before brings its field along, and nothing below it moves', async ({
  browser,
  site,
}) => {
  const line = await startSlowLine(site.url)
  const context = await browser.newContext({ locale: 'es-ES', viewport: { width: 390, height: 844 } })
  const kept = {
    [SENDER_KEY]: '{"kind":"own","name":"Ana"}',
    [MISSION_KEY]: '{"kind":"other","text":"Plantar un árbol"}',
    [PACKAGE_KEY]: 'their water',
  }
  try {
    for (const screen of ['donation-sender-name', 'mission'] as const) {
      const page = await context.newPage()
      await page.addInitScript(values => {
        for (const [key, text] of Object.entries(values)) localStorage.setItem(key, text)
      }, kept)
      await page.goto(line.url + senderPath('es', screen))
      await expect(page.locator('form[data-ready]')).toHaveCount(1)
      await idle(page)
      await expect(page.getByRole('textbox').first()).toHaveValue(/Ana|Plantar/)
      await expect(page.locator('[data-action="continue"]')).toBeVisible()
      expect(await page.evaluate(shiftsSoFar), screen).toEqual([])
      await page.close()
    }
  } finally {
    await context.close()
    line.stop()
  }
})

/** In the browser: what has moved without being touched, and by how much. */
function shiftsSoFar(): Promise<{ value: number; what: string[] }[]> {
  interface Shift extends PerformanceEntry {
    readonly value: number
    readonly sources: readonly { readonly node: Node | null }[]
  }
  return new Promise(resolve => {
    new PerformanceObserver(list =>
      resolve(
        (list.getEntries() as Shift[])
          .filter(({ value }) => value > 0.002)
          .map(({ value, sources }) => ({
            value,
            what: sources.map(({ node }) => (node as Element)?.className),
          })),
      ),
    ).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve([]), 300)
  })
}
