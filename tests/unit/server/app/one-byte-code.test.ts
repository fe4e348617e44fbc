import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withEscapes, writeInOneByte } from '#server/app/one-byte-code.ts'

describe('code in one byte for each character', () => {
  it('means the same in strings, templates and patterns, also beyond the first plane', async () => {
    const code = [
      `export const text = 'é ’ 🎁'`,
      `export const filled = \`\${text} → \u202f\``,
      `export const isQuote = /^[‘-’]$/u.test('’')`,
      `export const isGift = /^[🎁]$/u.test('🎁')`,
    ].join('\n')
    const escaped = withEscapes(code)
    expect(escaped).toMatch(/^[\0-\xff]*$/)
    const module = await import(`data:text/javascript,${encodeURIComponent(escaped)}`)
    expect({ ...module }).toEqual({ text: 'é ’ 🎁', filled: 'é ’ 🎁 → \u202f', isQuote: true, isGift: true })
  })

  it('rewrites the modules of a folder, and no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'one-byte-'))
    writeFileSync(join(folder, 'a.mjs'), `export default '→'`)
    writeFileSync(join(folder, 'b.json'), '"→"')
    await writeInOneByte(folder)
    expect(readFileSync(join(folder, 'a.mjs'), 'utf8')).toBe(`export default '\\u2192'`)
    expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe('"→"')
  })
})
