import type { Page } from '@playwright/test'

/** The names of everything this browser keeps for the site, and its cookies. */
export const kept = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie])

export interface KeptConsent {
  readonly choice: string
  readonly version: number
  readonly at: number
  /** The record without a person in it has gone out. */
  readonly told?: true
}

/** The answer to the consent question, as this browser remembers it. */
export const keptConsent = (page: Page): Promise<KeptConsent | null> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('gift:consent') ?? 'null'))
