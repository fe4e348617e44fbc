import type { BrowserContext, Page } from '@playwright/test'
import { senderPath } from './buyer.ts'
import { action, atScreen, screenIs } from './screens.ts'
import type { Language } from './words.ts'

/** What an invitation is chosen to be. */
export interface ChosenInvitation {
  readonly language: Language
  readonly sender: string
  /** Place of the slider, 0 to 100. */
  readonly support: number
}

/** From the mission to the payment notice, as a person does. */
export async function chooseInvitation(page: Page, chosen: ChosenInvitation): Promise<void> {
  await page.goto(senderPath(chosen.language, 'mission'))
  await atScreen(page, 'mission')
  await page.locator('[data-mission-choice="mission-medical"] label').click()
  await action(page, 'continue').click()
  await atScreen(page, 'volunteering-sender-name')
  await page.locator('#sender-name').fill(chosen.sender)
  await action(page, 'continue').click()
  await atScreen(page, 'packages-volunteering')
  await action(page, 'continue').click()
  await screenIs(page, 'volunteering-packages-support-amount')
  await page.locator('#support').fill(String(chosen.support))
  await action(page, 'continue').click()
  await screenIs(page, 'volunteering-prepayment')
}

/** A browser whose visitor has forbidden sites to keep anything. */
export const blockStorage = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
  })
