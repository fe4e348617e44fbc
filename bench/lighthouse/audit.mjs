/**
 * Reads JSON lines, each a page and its visitor (`{ url, local, session, cookies }`), and answers each with one line
 * of JSON: what Lighthouse thinks of it, as a phone. A Chromium of its own for every page.
 */
import { createInterface } from 'node:readline'
import lighthouse from 'lighthouse'
import { launch } from 'puppeteer-core'

const [executablePath, ...args] = process.argv.slice(2)
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await audit(JSON.parse(line)))}\n`)
}

async function audit({ url, local, session, cookies }) {
  const browser = await launch({ executablePath, args, headless: true })
  try {
    const page = await browser.newPage()
    await browser.setCookie(
      ...Object.entries(cookies).map(([name, value]) => ({ name, value, domain: new URL(url).hostname })),
    )
    await page.evaluateOnNewDocument(
      (choices, visit) => {
        for (const [key, value] of Object.entries(choices)) localStorage.setItem(key, value)
        for (const [key, value] of Object.entries(visit)) sessionStorage.setItem(key, value)
      },
      local,
      session,
    )
    const flags = { onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'silent' }
    const { lhr } = await lighthouse(url, flags, undefined, page)
    const failures = Object.values(lhr.categories).flatMap(category =>
      category.auditRefs
        .filter(({ weight, id }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
        .map(({ id }) => `${category.id}: ${id}`),
    )
    const scores = Object.fromEntries(
      CATEGORIES.map(id => [id, Math.round((lhr.categories[id]?.score ?? 0) * 100)]),
    )
    return { finalUrl: lhr.finalDisplayedUrl, scores, failures, error: lhr.runtimeError?.message }
  } finally {
    await browser.close()
  }
}
