import type { Page } from '@playwright/test'

/** The address of the code of an island, by the word of its file (`select-ngo.island.tsx`). */
export const codeOf = (island: string): string => `**/_astro/${island}.island.*`

/** Holds the code of an island back. @returns lets it come, once the page has asked for it */
export async function holdCode(page: Page, island: string): Promise<() => Promise<void>> {
  let letCome = (): void => {}
  const held = new Promise<void>(resolve => {
    letCome = resolve
  })
  let isAsked = (): void => {}
  const asked = new Promise<void>(resolve => {
    isAsked = resolve
  })
  await page.route(codeOf(island), async route => {
    isAsked()
    await held
    await route.continue()
  })
  return async () => {
    await asked
    letCome()
  }
}
