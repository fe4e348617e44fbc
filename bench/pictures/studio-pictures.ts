import { mkdir } from 'node:fs/promises'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { CHROMIUM_ARGS, ensureChromium } from '../../tests/support/chromium.ts'
import { startSite } from '../../tests/support/e2e/server.ts'

/** `node bench/pictures/studio-pictures.ts`: the pictures of docs/guides, taken from the Studio as it is. */
const FOLDER = 'docs/guides/pictures'
const WINDOW = { width: 1280, height: 900 }

const PICTURES: Readonly<Record<string, { path: string; shows: string }>> = {
  list: { path: 'this-years-list', shows: 'UNRWA' },
  organisation: { path: 'ngo;ngo-unicef', shows: 'Used on 3 pages' },
  memorial: { path: 'memorialPhoto', shows: '1. First light' },
  'review-due': { path: 'review-due', shows: 'UNICEF' },
}

async function startNextYear(page: Page): Promise<void> {
  await page.goto('/studio/structure/ngoList;ngoList-2026')
  await page.getByTestId('action-menu-button').click()
  await page.getByRole('menuitem', { name: /Start the list/ }).click()
  await page.getByRole('button', { name: /Start the list/ }).click()
  await page.waitForURL(/ngoList-2027/)
}

const site = await startSite({ STUDIO: 'on' })
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })
try {
  await mkdir(FOLDER, { recursive: true })
  const page = await browser.newPage({ viewport: WINDOW, baseURL: site.url })
  page.setDefaultTimeout(120_000)
  await page.goto('/studio')
  await page.getByText('This year’s list').first().waitFor()
  for (const [name, { path, shows }] of Object.entries(PICTURES)) {
    if (name === 'review-due') await startNextYear(page)
    await page.goto(`/studio/structure/${path}`)
    await page.getByText(shows).last().waitFor()
    await page.waitForTimeout(2_000)
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
    const small = sharp(await page.screenshot()).png({ palette: true, colours: 64, effort: 10 })
    await small.toFile(`${FOLDER}/${name}.png`)
  }
} finally {
  await browser.close()
  await site.stop()
}
