/** A partner's own page, on another origin, with the packages on it. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { widgetMarkup } from '#wire/public-api.ts'
import { newAddress } from './api.ts'
import {
  chooseSender,
  chooseSupport,
  type GiftLinks,
  payWith,
  pressPay,
  readLinks,
  senderPath,
} from './buyer.ts'
import { action, atScreen, screenIs } from './screens.ts'
import { test as base, expect } from './test.ts'
import type { Language } from './words.ts'

/** The link that stands in for the widget. */
export const FALLBACK = 'Regalos'

export interface Partner {
  /** The partner's page, in this language. */
  readonly at: (language: Language) => string
}

/** Tests with the page of a partner, whose packages are those of the test's site. */
export const test = base.extend<object, { partner: Partner }>({
  partner: [
    async ({ site }, use) => {
      const server = await partnersSite(site.url)
      const { port } = server.address() as AddressInfo
      await use({ at: language => `http://127.0.0.2:${port}/${language}` })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
})

/** A site of somebody else's, whose own policy allows no more than the widget needs. */
async function partnersSite(site: string): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const language = url.slice(1)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${site}; connect-src ${site}; img-src data:`,
    )
    const widget = widgetMarkup(site, {
      language,
      path: senderPath(language as Language, 'packages-donation'),
      words: FALLBACK,
    })
    response.end(
      `<!doctype html><html lang="${language}"><title>A partner</title><link rel="icon" href="data:,"><main><h1>A partner</h1>${widget}</main></html>`,
    )
  }).listen(0, '127.0.0.2')
  await once(server, 'listening')
  return server
}

/** Opens the partner's page. @returns the packages on it, which are there */
export async function openPartner(page: Page, partner: Partner, language: Language): Promise<Locator> {
  await page.goto(partner.at(language))
  const packages = page.locator('gifts-that-give li a')
  await expect(packages).toHaveCount(5)
  return packages
}

/** Takes the first package by the keyboard, and pays for it here. @returns the gift's links */
export async function buyFrom(page: Page): Promise<Omit<GiftLinks, 'email'>> {
  // The link that stands in for it is out of the way.
  for (let n = 0; n < 3; n++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await screenIs(page, 'packages-donation')
  await expect(page.locator('[data-package="their water"] input')).toBeChecked()
  await expect(page).toHaveURL(/packages-donation$/)
  await action(page, 'continue').click()
  await chooseSender(page)
  await action(page, 'continue').click()
  await chooseSupport(page, 0)
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', newAddress())
  await atScreen(page, 'donation-success')
  return readLinks(page)
}
