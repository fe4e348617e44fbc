import { existsSync } from 'node:fs'
import { installFromDebian } from './debian.ts'

const CANDIDATES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where this machine's Chromium is, or undefined. */
export function findChromium(): string | undefined {
  return CANDIDATES.find(path => path !== undefined && existsSync(path))
}

/** Chromium's path; a machine without one gets Debian's. Throws when that cannot be done. */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  console.log('Installing Chromium from Debian …')
  installFromDebian('chromium')
  const installed = findChromium()
  if (!installed)
    throw new Error('No Chromium found, and it could not be installed. Set CHROMIUM to its path.')
  return installed
}

/** Debian's Chromium without windows, tabs and toolbars: the same engine for a third less of the processor. */
const WITHOUT_WINDOWS = '/usr/lib/chromium/chromium-headless-shell'

/** The browser of the tests: the one without windows where it is, else Chromium. CHROMIUM names another. */
export function testBrowser(): string {
  return !process.env.CHROMIUM && existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : ensureChromium()
}

/** Installs what the browser tests need. Throws where there is no browser at all. */
export function installTestBrowsers(): void {
  ensureChromium()
  if (!existsSync(WITHOUT_WINDOWS)) installFromDebian('chromium-headless-shell')
}

/** What Chromium needs on a closed, graphics-less machine run as root. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
