import { expect, type Page } from '@playwright/test'
import { TIMINGS } from '#domain/timings.ts'
import type { Points } from './api.ts'
import { action, atScreen, screenIs } from './screens.ts'

/** The story of a donation card, in its order, and how long a tap has to wait on each screen, in ms. */
export const STORY = [
  ['introduction-1', 3_000],
  ['introduction-2', 2_000],
  ['introduction-4', 2_000],
  ['introduction-5', 5_000],
  ['introduction-6', 2_000],
  ['introduction-7', 2_000],
] as const

/** Opens a link and stands where the story begins. */
export async function openGift(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await atScreen(page, 'introduction-1')
}

/** From the first screen of the story to the list, by Skip. */
export async function skipStory(page: Page): Promise<void> {
  for (const [screen] of STORY) {
    await atScreen(page, screen)
    await action(page, 'skip').click()
  }
  await screenIs(page, 'select-ngo')
}

/** The hint before the list, once the list's code has come: before that, its link leads to the form beneath. */
export const liveHint = (page: Page) => page.locator('section.split-hint[data-live]')

/** Keeps the hint before the list from giving way by itself, for tests that a busy machine would make later than that. */
export const holdHint = (page: Page): Promise<unknown> =>
  page.addInitScript(hintMs => {
    const { setTimeout } = window
    const patient = (act: () => void, ms?: number) => (ms === hintMs ? 0 : setTimeout(act, ms))
    window.setTimeout = patient as typeof setTimeout
  }, TIMINGS.selectNgoHint)

/** On select-ngo: opens the list at once, if the hint still stands before it. */
export async function showList(page: Page): Promise<void> {
  await screenIs(page, 'select-ngo')
  const open = liveHint(page).locator('[data-action="show-list"]')
  // The list is there beneath the hint, and not shown yet.
  await expect(open.or(page.locator('section.split:visible'))).toBeVisible()
  // The hint may give way by itself between the look and the tap.
  if (await open.isVisible()) await open.click().catch(() => undefined)
  await expect(page.locator('section.split')).toBeVisible()
}

/** Types the points of each organisation and goes on to the confirm view. */
export async function splitAs(page: Page, points: Points): Promise<void> {
  await showList(page)
  for (const [ngo, given] of Object.entries(points))
    await page.locator(`[data-ngo="${ngo}"] input`).fill(String(given))
  await readBack(page)
  await expect(action(page, 'confirm')).toBeVisible()
}

/**
 * Presses Continue, which reads the split back. At its corner: whoever presses one place twice within half a second has tapped
 * twice (select-ngo/use-second-tap.ts), and a test presses sooner than anybody reads.
 */
export const readBack = (page: Page): Promise<void> =>
  action(page, 'continue').click({ position: { x: 8, y: 8 } })

/** What a list of given amounts says, by organisation. */
export async function amountsShown(page: Page): Promise<Record<string, string>> {
  const list = page.locator('[data-allocation]')
  await expect(list.first()).toBeVisible()
  // The first row may come before the others have.
  await page.waitForLoadState()
  const rows = await list.all()
  const entries = rows.map(async row => [
    (await row.getAttribute('data-allocation')) ?? '',
    ((await row.locator('.amount').textContent()) ?? '').replace(/\s/g, ' '),
  ])
  return Object.fromEntries(await Promise.all(entries)) as Record<string, string>
}
