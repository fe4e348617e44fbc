import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

const FOLDER = 'dist/client/_astro'

/**
 * The address of the code of an island, whatever the build called it: the site's own manifest says which file was made
 * of `<island>.island.tsx`.
 */
export function codeOf(island: string): string {
  const manifest = readFileSync('dist/server/entry.mjs', 'utf8')
  const made = [...manifest.matchAll(/"[^"]*\/([\w-]+)\.island\.tsx":"(_astro\/[^"]+)"/g)]
  const ofIsland = made.filter(([, name]) => name === island).map(([, , file]) => file)
  // With whatever stands behind it: what did not come is asked for again with a query.
  return `**/${only(`the island ${island}`, ofIsland)}*`
}

/** The address of the built file in which a text stands that only one part of the code needs. */
export function codeWith(text: string): string {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.js'))
  const having = files.filter(name => readFileSync(`${FOLDER}/${name}`, 'utf8').includes(text))
  return `/_astro/${only(`code with ${text}`, having)}`
}

function only<T>(what: string, found: readonly T[]): T {
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} files, not one, are ${what}`)
  return first
}

/** Holds the code of an island back. @returns lets it come, once the page has asked for it */
export async function holdCode(page: Page, island: string): Promise<() => Promise<void>> {
  let letCome = (): void => {}
  const held = new Promise<void>(resolve => {
    letCome = resolve
  })
  let isAsked = (): void => {}
  const asked = new Promise<void>(resolve => {
    isAsked = resolve
  })
  await page.route(codeOf(island), async route => {
    isAsked()
    await held
    await route.continue()
  })
  return async () => {
    await asked
    letCome()
  }
}
