import type { Browser, Page } from 'playwright'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import type { Figure } from '../report/threshold.ts'

const GO_ON = '[data-action="continue"]'
const SKIP = '[data-action="skip"]'

/** What a buyer presses on each screen of the long way, without a detour. */
const PRESSES: Readonly<Record<string, readonly string[]>> = {
  'cookies-settings': ['[data-action="reject-optional"]'],
  intro: [SKIP],
  'choose-theme': ['[data-theme-choice="palestine"] label', GO_ON],
  choose: ['[data-gift-kind="donation"] label', GO_ON],
  'gift-card-design-donation': [SKIP],
  'how-it-works-donation': [GO_ON],
  'ngo-list': [GO_ON],
  'donation-sender-name': ['[data-sender="anonymous"] label', GO_ON],
  'packages-donation': ['[data-package="their water"] label', GO_ON],
  'donation-packages-support-amount': [GO_ON],
  'donation-prepayment': ['[data-consent="fulfilment"]', '[data-action="pay"]'],
}
/** Doors that lead on by themselves. */
const DOORS = ['entry']

/** What a buyer does from the first page to the payment page, by the long way. */
export async function measurePurchase(browser: Browser, site: BenchSite): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-ES' })
  try {
    return [
      {
        id: 'interactions',
        part: 'The buyer’s long way',
        what: 'first page to payment page: interactions',
        unit: '',
        measured: await interactionsOf(await context.newPage(), site.url),
        goal: goalOf('purchase-interactions'),
      },
    ]
  } finally {
    await context.close()
  }
}

async function interactionsOf(page: Page, url: string): Promise<number> {
  let interactions = 0
  await page.goto(url)
  for (let screen = await shown(page); screen !== 'hosted-payment'; screen = await shown(page, screen)) {
    const presses = PRESSES[screen]
    if (presses === undefined)
      throw new Error(`The long way leads to the screen ${screen}, which nobody knows here`)
    await page.waitForLoadState()
    for (const selector of presses) {
      // A tap on a package that nobody sees would only show it; any key does that.
      await page.keyboard.press('Shift')
      await page.locator(selector).first().click()
      interactions++
    }
  }
  return interactions
}

/** Waits for another screen than `before`, which no door is. */
async function shown(page: Page, before = ''): Promise<string> {
  const others = [...DOORS, before].map(word => `:not([data-screen="${word}"])`).join('')
  return (await page.locator(`main[data-screen]${others}`).getAttribute('data-screen')) ?? ''
}
