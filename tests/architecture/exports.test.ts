import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Source } from '#tests/support/architecture/copies.ts'
import { unusedExports } from '#tests/support/architecture/exports.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Astro calls what these export by its name. */
const CALLED_BY_NAME = /^src\/(pages\/|middleware\.ts)/
/** Compiled for its types alone: the compiler is its only user. */
const CHECKED_BY_THE_COMPILER = ['src/i18n/table-texts.ts']

const read = (path: string): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })
const filesIn = (folders: readonly string[], endings: RegExp): Source[] =>
  folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map(path => `${folder}/${path}`)
      .filter(path => endings.test(path) && !/\/(generated|node_modules|dist|\.next)\//.test(path))
      .map(read),
  )

describe('an export', () => {
  const sources = filesIn(['src', 'bench'], /\.tsx?$/).filter(
    ({ path }) => !CALLED_BY_NAME.test(path) && !CHECKED_BY_THE_COMPILER.includes(path),
  )

  it('of the product or the benchmarks is used', () => {
    const users = filesIn(['src', 'bench', 'studio', 'tests'], /\.(tsx?|mjs|astro)$/)
    expect(sources.length).toBeGreaterThan(900)
    expect(unusedExports(sources, [...users, read('astro.config.mjs')])).toEqual([])
  }, 120_000)

  it('is found where nothing uses it, however often a comment names it', () => {
    const used = { path: 'a.ts', text: 'export const used = 1\nexport function unused() {}\n// unused()\n' }
    const user = { path: 'b.ts', text: "import { used } from './a.ts'\n" }
    expect(unusedExports([used], [user])).toEqual([{ path: 'a.ts', name: 'unused' }])
  })
})
