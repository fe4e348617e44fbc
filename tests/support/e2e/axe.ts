import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/**
 * Looks at the page as it stands; every rule of the checker holds, with the one on the size of targets, which the checker
 * leaves out unless it is asked for.
 * @param within a selector, where the rest of the page is not ours; the whole page when missing
 */
export async function expectAccessible(page: Page, what: string, within = ':root'): Promise<void> {
  // Half faded in, words are pale for a moment; the fade may also be broken off.
  await page.evaluate(() =>
    Promise.allSettled(
      (document.querySelector('main')?.getAnimations() ?? []).map(({ finished }) => finished),
    ),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await page.evaluate(async selector => {
    const { axe } = window as unknown as {
      axe: { run(context: string, options: object): Promise<{ violations: Violation[] }> }
    }
    const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }
    return (await axe.run(selector, options)).violations
  }, within)
  const told = found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
  expect(told, what).toEqual([])
}
