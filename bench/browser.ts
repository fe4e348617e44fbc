import { type Browser, chromium } from 'playwright'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.ts'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })
