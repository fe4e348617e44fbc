import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { undocumentedIn } from '#tests/support/architecture/doc-comments.ts'

const SRC = join(import.meta.dirname, '../../src')

describe('an exported function', () => {
  it.each([
    ['export function plain() {}', ['plain']],
    ['export async function later() {}', ['later']],
    ['export const arrow = () => 1', ['arrow']],
    ['// A remark.\nexport function remarked() {}', ['remarked']],
    ['/** Said. */\nexport function said() {}', []],
    [
      '/** Said. */\nexport function said(a: 1): 1\nexport function said(a: 2): 2\nexport function said() {}',
      [],
    ],
    ['/** Of the file. */\nimport "x"\nexport function after() {}', ['after']],
    ['function own() {}\nexport const number = 1', []],
  ])('of %j lacks its doc comment: %j', (text, names) => {
    expect(undocumentedIn(text)).toEqual(names)
  })
})

describe.each(['domain', 'server', 'wire'])('each exported function of src/%s', room => {
  it('has a doc comment', () => {
    const files = readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' }).filter(
      path => path.endsWith('.ts') && !/(^|\/)generated\//.test(path),
    )
    expect(files.length).toBeGreaterThan(10)
    expect(
      files.flatMap(path =>
        undocumentedIn(readFileSync(join(SRC, room, path), 'utf8')).map(name => `${room}/${path}: ${name}`),
      ),
    ).toEqual([])
  })
})
