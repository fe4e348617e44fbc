import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '#domain/languages.ts'
import { INTRODUCTION_SCREENS } from '#domain/receiver/introductions.ts'
import { cardPath, localizedPath, PUBLISHED_PAGES } from '#paths'
import { CHROMIUM_ARGS, ensureChromium } from '#tests/support/chromium.ts'
import { installWhenNeeded } from '../harness/npm-project.ts'
import type { Profile } from '../harness/profile.ts'
import { CHOICES, SESSION } from '../harness/screen-list.ts'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { median } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const FOLDER = fileURLToPath(new URL('lighthouse-runner', import.meta.url))
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

interface Page {
  readonly path: string
  readonly cookies: Readonly<Record<string, string>>
  /** Nobody is to find it: what search engines would say does not count. */
  readonly hidden: boolean
}

interface AuditResult {
  readonly scores: Readonly<Record<Category, number>>
  readonly failures: readonly string[]
  readonly finalUrl: string
  readonly error?: string
}

/** What Lighthouse, as a phone, thinks of the pages: each route in every language, or the first few of them. */
export async function measureLighthouse(
  site: BenchSite,
  { lighthousePages, lighthouseOf }: Pick<Profile, 'lighthousePages' | 'lighthouseOf'>,
): Promise<Figure[]> {
  await installWhenNeeded(FOLDER)
  const pages = pagesOf(site)
    .filter(({ path }) => lighthouseOf?.some(end => path.endsWith(end)) ?? true)
    .slice(0, lighthousePages)
  const runs = await audit(site, pages)
  const part = `Lighthouse as a phone, ${pages.length} pages`
  return CATEGORIES.flatMap(category => {
    const scores = pages.flatMap((page, n) =>
      category === 'seo' && isHidden(page, runs[n]!) ? [] : [tell(page, category, runs[n]!)],
    )
    const worst = scores.map(each => 100 - Math.min(...each))
    return [
      {
        id: `${category} pages`,
        part,
        what: `${category}: pages below 100 of ${scores.length}`,
        unit: '',
        measured: scores.filter(each => median(each) < 100).length,
        goal: goalOf('lighthouse-pages'),
      },
      {
        id: `${category} worst`,
        part,
        what: `${category}: points missing in the worst run`,
        unit: '',
        measured: Math.max(0, ...worst),
        goal: goalOf('lighthouse-worst'),
      },
    ]
  })
}

/** Nobody is to find it, nor the screen that the entry leads visitors to. Search engines read the entry itself. */
function isHidden({ path, hidden }: Page, runs: readonly AuditResult[]): boolean {
  return hidden || runs.some(({ finalUrl }) => new URL(finalUrl).pathname !== path)
}

/** @returns the scores of each run, after a word on those that are not perfect */
function tell({ path }: Page, category: Category, runs: readonly AuditResult[]): readonly number[] {
  for (const { scores, failures, error = '' } of runs)
    if (scores[category] < 100)
      console.error(
        `${category} ${scores[category]} ${path.replace(/[a-z2-7]{26,}/, 'KEY')} ${failures.filter(each => each.startsWith(category)).join(', ')} ${error}`,
      )
  return runs.map(({ scores }) => scores[category])
}

/** Each route once in turning languages first, then the rest: the first few show something of everything. */
function pagesOf({ keys }: BenchSite): Page[] {
  const [key = ''] = keys.active
  const routes: ((language: (typeof LANGUAGES)[number]) => Page)[] = [
    ...[...INTRODUCTION_SCREENS, 'select-ngo'].map(screen => (language: string) => ({
      path: cardPath(key, screen),
      cookies: { lang: language },
      hidden: true,
    })),
    ...[cardPath(keys.consumed, 'consumed'), cardPath(keys.preview, 'thanks', 'preview')].map(
      path => (language: string) => ({ path, cookies: { lang: language }, hidden: true }),
    ),
    ...PUBLISHED_PAGES.map(({ path, listed }) => (language: (typeof LANGUAGES)[number]) => ({
      path: localizedPath(language, path),
      cookies: {},
      hidden: listed !== true,
    })),
  ]
  const telling = [routes[0]!, routes.at(9)!, ...routes.slice(-PUBLISHED_PAGES.length + 11), ...routes]
  const ordered = [...new Set(telling)]
  return LANGUAGES.flatMap((_, turn) =>
    ordered.map((route, n) => route(LANGUAGES[(n + turn) % LANGUAGES.length]!)),
  )
}

/** Looks at each page once, and at one that is not perfect twice more: on a shared machine a run can be unlucky. */
async function audit(site: BenchSite, pages: readonly Page[]): Promise<readonly (readonly AuditResult[])[]> {
  const args = [`${FOLDER}/audit.mjs`, ensureChromium(), ...CHROMIUM_ARGS]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: FOLDER })
  const gone = once(child, 'exit')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const look = async ({ path, cookies }: Page): Promise<AuditResult> => {
    const visitor = { url: site.url + path, local: CHOICES, session: SESSION, cookies }
    child.stdin.write(`${JSON.stringify(visitor)}\n`)
    const { value } = await answers.next()
    if (value === undefined) throw new Error('Lighthouse ended before its time')
    return JSON.parse(value) as AuditResult
  }
  const results: (readonly AuditResult[])[] = []
  for (const page of pages) {
    const first = await look(page)
    const runs = isPerfect(first, page) ? [first] : [first, await look(page), await look(page)]
    // A load that Lighthouse could not record says nothing of the page, unless none could be.
    const recorded = runs.filter(({ error }) => error === undefined)
    results.push(recorded.length > 0 ? recorded : runs)
  }
  child.stdin.end()
  await gone
  return results
}

const isPerfect = ({ scores }: AuditResult, { hidden }: Page): boolean =>
  CATEGORIES.every(category => scores[category] === 100 || (category === 'seo' && hidden))
