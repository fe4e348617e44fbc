import { expect, type FrameLocator, type Page } from '@playwright/test'

export interface ShownMail {
  readonly subject: string
  /** Every link to a card in the letter, in its order. */
  readonly letterLinks: readonly string[]
  /** The same of its text part. */
  readonly textLinks: readonly string[]
}

const CARD_LINK = /https?:\/\/\S+\/g\/[^\s<>"')]+/g

/**
 * Waits until an address has so many mails, and opens the newest as the inbox page shows it.
 * @returns the letter in its frame, whole
 */
export async function openLetter(page: Page, email: string, mails = 1): Promise<FrameLocator> {
  const listed = page.locator(`a[data-to="${email}"]`)
  await expect(async () => {
    // Of this mailbox alone: of all of them the page lists the newest, which other tests have sent.
    await page.goto(`/_local/mail?to=${encodeURIComponent(email)}`)
    await expect(listed).toHaveCount(mails, { timeout: 200 })
  }).toPass({ timeout: 60_000 })
  await listed.first().click()
  await page.waitForURL(({ pathname }) => /^\/_local\/mail\/[^/]+$/.test(pathname))
  const letter = page.frameLocator('iframe')
  // The page has loaded before its frame on a busy machine, and an empty frame has no links.
  await expect(letter.locator('body')).not.toBeEmpty()
  return letter
}

/** The links of a letter whose address holds a part, in their order. */
export async function linksIn(letter: FrameLocator, part: string): Promise<string[]> {
  const links = await letter.locator(`a[href*="${part}"]`).all()
  // One by one: a script of the page's own world is what a letter's frame forbids.
  return Promise.all(links.map(async link => (await link.getAttribute('href')) ?? ''))
}

/** The page on which a giver has a gift mailed, as the letter about its purchase leads there. */
export async function sendForMeLink(reader: Page, email: string): Promise<string> {
  const [link = ''] = await linksIn(await openLetter(reader, email), '/send-for-me/')
  return link
}

/** Waits for the only mail to an address, and reads it as the inbox page shows it. */
export async function readMail(page: Page, email: string): Promise<ShownMail> {
  const letter = await openLetter(page, email)
  const subject = (await page.locator('h1').textContent()) ?? ''
  const letterLinks = await linksIn(letter, '/g/')
  await page.locator('[data-action="text"]').click()
  const text = (await page.locator('[data-part="text"]').textContent()) ?? ''
  return { subject, letterLinks, textLinks: text.match(CARD_LINK) ?? [] }
}
