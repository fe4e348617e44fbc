import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copiesIn } from '#tests/support/architecture/copies.ts'

const SRC = join(import.meta.dirname, '../../src')
/** More lines than this in a row stand in one place. */
const MOST_LINES = 12

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.(ts|tsx|astro|css)$/.test(path) && !/(^|\/)generated\//.test(path))
  .map(path => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `call(${n})`).join('\n')

describe('a copy', () => {
  it('is found where more lines than that stand twice, though written with other spaces and comments', () => {
    const other = lines(13).replaceAll('\n', '\n\n  // said otherwise\n  ')
    expect(
      copiesIn(
        [
          { path: 'a.ts', text: `begin()\n${lines(13)}` },
          { path: 'b.ts', text: other },
        ],
        MOST_LINES,
      ),
    ).toEqual(['a.ts:2 ~ b.ts:1'])
  })

  it('is not found where fewer do', () => {
    const one = { path: 'a.ts', text: `${lines(12)}\none()` }
    const other = { path: 'b.ts', text: `${lines(12)}\nother()` }
    expect(copiesIn([one, other], MOST_LINES)).toEqual([])
  })
})

describe('the code', () => {
  it('holds no more than twelve lines twice', () => {
    expect(sources.length).toBeGreaterThan(800)
    expect(copiesIn(sources, MOST_LINES)).toEqual([])
  })
})
