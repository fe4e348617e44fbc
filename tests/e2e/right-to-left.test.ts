import type { Page } from '@playwright/test'
import { buyThroughApi } from '#tests/support/e2e/api.ts'
import { receiverScreens, senderScreens, wellKnownVisitor } from '#tests/support/e2e/every-screen.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

// No language of the product is written from the right yet; the screens are ready for one.
test.use({ locale: LOCALES.en, ...STILL })

const SCREENS =
  /^(choose|choose-theme|how-it-works-donation|packages-donation|packages-volunteering|donation-sender-name|donation-packages-support-amount|donation-prepayment|ngo-list|mission|poll-ngo|cookies-settings|introduction-1|select-ngo, (list|confirm))$/

const turn = (page: Page, dir: 'ltr' | 'rtl') =>
  page.evaluate(value => {
    document.documentElement.dir = value
  }, dir)

/** Pairs of texts on one line that touch, and a page that is wider than its window. */
const collisions = (page: Page) =>
  page.evaluate(() => {
    /** Words closer than that are read as one. */
    const APART = 3
    const lines: { text: string; part: Element; box: DOMRect }[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const part = node.parentElement
      const text = node.textContent?.trim()
      if (!part || !text || !part.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
        continue
      if (part.closest('.visually-hidden, .skip-link, script, style')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const box of range.getClientRects()) if (box.width > 1) lines.push({ text, part, box })
    }
    const touches = (a: DOMRect, b: DOMRect): boolean =>
      a.left < b.right + APART &&
      b.left < a.right + APART &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4
    const pairs = lines.flatMap((a, index) =>
      lines
        .slice(index + 1)
        // What stands in one sentence touches as it should.
        .filter(b => !a.part.contains(b.part) && !b.part.contains(a.part) && touches(a.box, b.box))
        .map(b => [a.text, b.text].map(text => text.slice(0, 30)).join(' | ')),
    )
    const isTooWide = document.documentElement.scrollWidth > innerWidth
    return [...new Set([...pairs, ...(isTooWide ? ['too wide'] : [])])]
  })

test('with the text from the right, nothing collides that does not from the left', async ({ page, site }) => {
  test.setTimeout(180_000)
  await wellKnownVisitor(page)
  const card = await buyThroughApi(site, { sender: 'Íñigo' })
  const screens = [...senderScreens('en'), ...receiverScreens(card)].filter(({ name }) => SCREENS.test(name))
  expect(screens).toHaveLength(15)
  for (const { name, open } of screens) {
    await open(page)
    const before = await collisions(page)
    await turn(page, 'rtl')
    const now = await collisions(page)
    expect(
      now.filter(pair => !before.includes(pair)),
      name,
    ).toEqual([])
  }
})

test('what fills does so from where the text begins', async ({ page, site }) => {
  await wellKnownVisitor(page)
  const { privateKey } = await buyThroughApi(site)
  const [list] = receiverScreens({ privateKey, publicKey: '' }).filter(
    ({ name }) => name === 'select-ngo, list',
  )
  await list?.open(page)
  const edges = () =>
    page.locator('.split-bar div, [data-ngo="ngo-msf"] .ngo-fill').evaluateAll(parts =>
      parts.map(part => {
        const [inner, outer] = [part, part.parentElement!].map(each => each.getBoundingClientRect())
        return {
          fromLeft: Math.round(inner!.left - outer!.left),
          fromRight: Math.round(outer!.right - inner!.right),
        }
      }),
    )
  for (const { fromLeft, fromRight } of await edges()) {
    expect(fromLeft).toBe(0)
    expect(fromRight).toBeGreaterThan(100)
  }
  await turn(page, 'rtl')
  for (const { fromLeft, fromRight } of await edges()) {
    expect(fromRight).toBe(0)
    expect(fromLeft).toBeGreaterThan(100)
  }

  await page.goto('/en/intro/donation-packages-support-amount')
  const slider = page.locator('.support input')
  const filledFrom = () => slider.evaluate(each => getComputedStyle(each).backgroundPositionX.split(',')[0])
  expect(await filledFrom()).toMatch(/^(left|0%)$/)
  await turn(page, 'rtl')
  expect(await filledFrom()).toMatch(/^(right|100%)$/)
})
