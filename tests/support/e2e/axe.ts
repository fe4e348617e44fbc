import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** Looks at the whole page as it stands; every rule of the checker holds. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> }
    }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
  const told = found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
  expect(told, what).toEqual([])
}
