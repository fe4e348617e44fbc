import { expect, type Page } from '@playwright/test'
import { newAddress } from './api.ts'
import { action, atScreen, screenIs } from './screens.ts'
import type { Language } from './words.ts'

export interface Purchase {
  readonly language: Language
  readonly packageId?: string
  /** Chosen on the packages page; else what the browser's language suggests. */
  readonly currency?: string
  /** Anonymous without one. */
  readonly sender?: string
  /** Place of the slider, 0 to 100. */
  readonly support?: number
  readonly email?: string
}

export interface GiftLinks {
  readonly preview: string
  readonly secret: string
  readonly email: string
}

export const senderPath = (language: Language, screen: string): string => `/${language}/intro/${screen}`

/** Comes by a first link and answers the consent question; gives the screen that the entry then leads to. */
export async function arrive(page: Page, path = '/', answer = 'reject-optional'): Promise<string> {
  await page.goto(path)
  return answerConsent(page, answer)
}

/** Answers the consent question that the entry led to; gives the screen that it then leads to. */
export async function answerConsent(page: Page, answer = 'reject-optional'): Promise<string> {
  await atScreen(page, 'cookies-settings')
  await action(page, answer).click()
  await consentTaken(page)
  return (await page.locator('main').getAttribute('data-screen')) ?? ''
}

/** The answer has led over the entry, which leads on by itself, to a screen whose modules have run. */
export async function consentTaken(page: Page): Promise<void> {
  await expect(page.locator('main')).toHaveAttribute('data-screen', /^(?!entry|cookies-settings)/)
  await page.waitForLoadState()
}

/** What the long way tells and asks before the sender's name, from the splash on. */
export async function walkIntroduction(page: Page, theme = 'palestine'): Promise<void> {
  await atScreen(page, 'intro')
  await action(page, 'skip').click()
  await atScreen(page, 'choose-theme')
  await page.locator(`[data-theme-choice="${theme}"] label`).click()
  await action(page, 'continue').click()
  await atScreen(page, 'choose')
  await page.locator('[data-gift-kind="donation"] label').click()
  await action(page, 'continue').click()
  await atScreen(page, 'gift-card-design-donation')
  await action(page, 'skip').click()
  for (const screen of ['how-it-works-donation', 'ngo-list']) {
    await atScreen(page, screen)
    await action(page, 'continue').click()
  }
}

/** On the packages screen: picks a package, and a currency where one is named. */
export async function choosePackage(page: Page, { packageId = 'their water', currency }: Partial<Purchase>) {
  await screenIs(page, 'packages-donation')
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  // Any key shows what is still to come: a tap on what nobody sees would only show it.
  await page.keyboard.press('Shift')
  if (currency) {
    await action(page, 'currency').click()
    await page.locator('label', { has: page.locator(`input[name="currency"][value="${currency}"]`) }).click()
  }
  await page.locator(`[data-package="${packageId}"] label`).click()
}

export async function chooseSender(page: Page, sender?: string) {
  await screenIs(page, 'donation-sender-name')
  await page.locator(`[data-sender="${sender === undefined ? 'anonymous' : 'own'}"] label`).click()
  if (sender !== undefined) await page.locator('#sender-name').fill(sender)
}

export async function chooseSupport(page: Page, position: number) {
  await screenIs(page, 'donation-packages-support-amount')
  await page.locator('#support').fill(String(position))
}

/** From wherever the visitor enters to the payment notice, every choice made; from the splash, the long way. */
export async function goToPrepayment(page: Page, purchase: Purchase) {
  if (page.url() === 'about:blank') await page.goto(senderPath(purchase.language, 'packages-donation'))
  const steps = [() => choosePackage(page, purchase), () => chooseSender(page, purchase.sender)]
  if ((await page.locator('main').getAttribute('data-screen')) === 'intro') {
    await walkIntroduction(page)
    steps.reverse()
  }
  for (const step of steps) {
    await step()
    await action(page, 'continue').click()
  }
  await chooseSupport(page, purchase.support ?? 0)
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
}

/** The payment notice at once, for a visitor who made these choices before: for tests of what comes after. */
export async function standAtPrepayment(
  page: Page,
  { language, sender, ...chosen }: Purchase,
): Promise<void> {
  const choices = {
    'gift:package': chosen.packageId ?? 'their water',
    'gift:sender': JSON.stringify(
      sender === undefined ? { kind: 'anonymous', name: '' } : { kind: 'own', name: sender },
    ),
    'gift:support': String(chosen.support ?? 0),
  }
  await page.goto(senderPath(language, 'ngo-list'))
  await page.evaluate(entries => {
    for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text)
  }, choices)
  await page.goto(senderPath(language, 'donation-prepayment'))
  await screenIs(page, 'donation-prepayment')
}

/** Stands before the payment of many cards of 25 €, with all that is asked there agreed to. */
export async function standAtManyReview(page: Page, names: readonly string[]) {
  await page.goto('/es/many-cards')
  await page.locator('#amount').fill('25')
  await page.locator('#list').fill(names.join('\n'))
  await action(page, 'check-many').click()
  await page.locator('[data-consent="fulfilment"]').check()
}

/** Presses the payment button, once what has to be agreed to is agreed to: where the currency's market asks for it. */
export async function pressPay(page: Page): Promise<void> {
  await agree(page)
  await sayWhoGives(page)
  await action(page, 'pay').click()
}

/** Fills in who gives, where the amount has that asked. */
async function sayWhoGives(page: Page): Promise<void> {
  const donor = page.locator('[data-donor]')
  if ((await donor.count()) === 0) return
  await donor.locator('[name="donor-name"]').fill('Aina Ferrer')
  await donor.locator('[name="donor-document"]').fill('12345678-z')
}

/** Ticks that the gift is fulfilled when it is opened, where that is asked. */
export async function agree(page: Page): Promise<void> {
  await page.locator('astro-island:not([ssr]) [data-action="pay"]').waitFor()
  const consent = page.locator('[data-consent="fulfilment"]')
  if ((await consent.count()) > 0) await consent.check()
}

/** Fills the hosted page and presses its button. */
export async function payWith(page: Page, card: string, email: string) {
  await atScreen(page, 'hosted-payment')
  await page.locator('[name="email"]').fill(email)
  await page.locator('[name="card_number"]').fill(card)
  await page.locator('[name="expiry"]').fill('12 / 40')
  await page.locator('[name="cvc"]').fill('123')
  await action(page, 'pay').click()
}

/** Reads the two links off the page after the payment. */
export async function readLinks(page: Page): Promise<Omit<GiftLinks, 'email'>> {
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  const preview = await action(page, 'open-preview').getAttribute('href')
  await action(page, 'reveal').click()
  const secret = await page.locator('[data-secret]').textContent()
  return { preview: preview ?? '', secret: secret ?? '' }
}

/** Buys a card as a person does, from the packages to the links. */
export async function buyACard(page: Page, purchase: Purchase): Promise<GiftLinks> {
  const { email = newAddress() } = purchase
  await goToPrepayment(page, purchase)
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', email)
  return { ...(await readLinks(page)), email }
}
