import type { Page } from '@playwright/test'

/** More stops than any screen has. */
const MOST_STOPS = 60

/** Presses Tab (or Shift+Tab) until the control has the focus; fails where the keyboard cannot reach it. */
export async function tabTo(page: Page, selector: string, key = 'Tab'): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press(key)
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return
  }
  throw new Error(`Tab never reaches ${selector}`)
}

/** Presses an arrow inside a group until one of its options has the focus. */
export async function arrowTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < MOST_STOPS; step++) {
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted), selector)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no arrow reaches ${selector}`)
}
