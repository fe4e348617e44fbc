import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const table = readFileSync(join(ROOT, 'docs/security/asvs.md'), 'utf8')
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8') + table

/** How many requirements of level 1 and 2 each chapter of the standard has. */
const CHAPTERS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

interface Line {
  readonly id: string
  readonly verdict: string
  readonly how: string
  readonly seenBy: string
}

const lines: readonly Line[] = [
  ...table.matchAll(/^\| (\d+\.\d+\.\d+) \| (.*?) \| (.*?) \| (.*?) ?\|$/gm),
].map(([, id = '', verdict = '', how = '', seenBy = '']) => ({ id, verdict, how, seenBy }))

it('every file that the security documents name is there', () => {
  const named = [
    ...text.matchAll(/(?:^|[\s`(])((?:src|tests|docs)\/[\w./[\]-]+\.\w+|[\w-]+\.json|\.env\.\w+)/gm),
  ].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(150)
  expect([...new Set(named)].filter(file => !existsSync(join(ROOT, file)))).toEqual([])
})

it('each requirement of levels 1 and 2 has one line', () => {
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  const counted = CHAPTERS.map((_, index) => lines.filter(({ id }) => id.startsWith(`${index + 1}.`)).length)
  expect(counted).toEqual(CHAPTERS)
})

it('what passes names where it is seen; what does not, why', () => {
  for (const { id, verdict, how, seenBy } of lines) {
    expect(['pass', 'n/a', 'deviation'], id).toContain(verdict)
    if (verdict === 'pass') expect(seenBy, id).toMatch(/^`.+`$/)
    else expect(how.length, id).toBeGreaterThan(5)
  }
})
