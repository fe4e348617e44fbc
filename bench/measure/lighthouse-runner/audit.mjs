/**
 * Reads JSON lines, each a page and its visitor (`{ url, local, session, cookies }`), and answers each with one line
 * of JSON: what Lighthouse thinks of it, as a phone. A Chromium of its own for every page.
 */
import { createInterface } from 'node:readline'
import lighthouse, { snapshot } from 'lighthouse'
import { launch } from 'puppeteer-core'

const [executablePath, ...args] = process.argv.slice(2)
const LOADING = ['performance', 'best-practices', 'seo']
const AT_REST = ['accessibility']

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
    const flags = { disableStorageReset: true, logLevel: 'silent' }
    const { lhr: loading } = await lighthouse(url, { ...flags, onlyCategories: LOADING }, undefined, page)
    // Some screens show their words one after the other, on purpose: what is still to come has no contrast yet.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
    await page.reload({ waitUntil: 'networkidle0' })
    const { lhr: atRest } = await snapshot(page, { flags: { ...flags, onlyCategories: AT_REST } })
    const reports = [loading, atRest]
    const failures = reports.flatMap(({ categories, audits }) =>
      Object.values(categories).flatMap(({ id: category, auditRefs }) =>
        auditRefs
          .filter(({ weight, id }) => weight > 0 && (audits[id].score ?? 1) < 0.9)
          .map(({ id }) => `${category}: ${id}${whereOf(audits[id])}`),
      ),
    )
    const categories = reports.flatMap(({ categories }) => Object.values(categories))
    const scores = Object.fromEntries(categories.map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]))
    return { finalUrl: loading.finalDisplayedUrl, scores, failures, error: loading.runtimeError?.message }
  } finally {
    await browser.close()
  }
}

/** The places on the page that an audit names, so that the failure can be found again. */
function whereOf({ details }) {
  const places = (details?.items ?? []).flatMap(({ node }) => (node ? [node.snippet] : []))
  return places.length > 0 ? ` (${places.slice(0, 3).join(' ')})` : ''
}
