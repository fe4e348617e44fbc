import { defineConfig } from '@playwright/test'
import { testBrowser } from './tests/support/chromium.ts'
import { BROWSER_ARGS } from './tests/support/e2e/browser-args.ts'

/** The browser tests drive the built product, as `npm start` runs it, on a phone-sized window. */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.test.ts',
  globalSetup: './tests/support/e2e/global-setup.ts',
  fullyParallel: true,
  // One more than the processors of a small machine: a browser that shows a screen waits as often as it works.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // Room for a busy machine: a limit only says how long a failure takes.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 390, height: 844 },
    // Requests that pass through it could not be held up by a test; its own tests allow it.
    serviceWorkers: 'block',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    launchOptions: { executablePath: testBrowser(), args: BROWSER_ARGS },
  },
})
