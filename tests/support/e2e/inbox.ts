import { expect, type Page } from '@playwright/test'

export interface ShownMail {
  readonly subject: string
  /** Every link to a card in the letter, in its order. */
  readonly letterLinks: readonly string[]
  /** The same of its text part. */
  readonly textLinks: readonly string[]
}

const CARD_LINK = /https?:\/\/\S+\/gift-card\/[^\s<>"')]+/g

/** Waits for the only mail to an address, and reads it as the inbox page shows it. */
export async function readMail(page: Page, email: string): Promise<ShownMail> {
  const listed = page.locator(`a[data-to="${email}"]`)
  await expect(async () => {
    await page.goto('/_local/mail')
    await expect(listed).toHaveCount(1, { timeout: 200 })
  }).toPass({ timeout: 15_000 })
  await listed.click()
  const subject = (await page.locator('h1').textContent()) ?? ''
  const hrefs = await page
    .frameLocator('iframe')
    .locator('a[href*="/gift-card/"]')
    .evaluateAll(links => links.map(link => (link as HTMLAnchorElement).href))
  await page.locator('[data-action="text"]').click()
  const text = (await page.locator('[data-part="text"]').textContent()) ?? ''
  return { subject, letterLinks: hrefs, textLinks: text.match(CARD_LINK) ?? [] }
}
