import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.ts'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })

/** Does something with a Chromium that nobody has used. */
export async function withFreshBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openBrowser()
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}
