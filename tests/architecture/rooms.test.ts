import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from '#tests/support/sources.ts'

const sources = sourceFiles('src/**/*.{ts,tsx,astro}')

/** The contract's own words, which live in src/wire and in the folders of src/pages/api only. */
const WIRE_WORDS =
  /\b(nom_producte|giftcard_theme|giftcard_mission|support_amount_cents|stripe_session_id|giftcard_(public|private)_key|giftcard_id|selected_ngos|ngoSelected|creditSelected|pagaments|voluntariat|ajuda|FROM_ANONYMOUS|FROM_YOUR_NAME)\b/

/** An entry of the browser's storage, an event of ours, or a cookie with its attributes, written out. */
const KEPT_NAME = /['"`]gift(:|-choices)|['"`]\w+=\$\{\w+\}; ?Path=/

describe('the rooms', () => {
  it('keep the words of the wire in the wire', () => {
    const strangers = sources
      .filter(file => !file.startsWith('src/wire/') && !file.startsWith('src/pages/api/'))
      .filter(file => WIRE_WORDS.test(readFileSync(file, 'utf8')))
    expect(strangers).toEqual([])
  })

  it('work the tax out once, when a price is quoted; everybody else reads it from the order', () => {
    const callers = sources
      .filter(file => /\bsplitTax\b/.test(readFileSync(file, 'utf8')))
      .filter(file => file !== 'src/domain/money/tax.ts')
    expect(callers).toEqual(['src/domain/pricing/quote.ts'])
  })

  it('count uses in one place', () => {
    const counting = sources.filter(file => /\blimits\.use\(/.test(readFileSync(file, 'utf8')))
    expect(counting).toEqual(['src/server/http/pipeline/admit.ts'])
  })

  it('have no function of more than 80 lines where requests are answered and the server is put together', () => {
    const long = sources
      .filter(file => /^src\/server\/(http|app)\/.*\.ts$/.test(file))
      .flatMap(file => longFunctions(file, readFileSync(file, 'utf8'), 80))
    expect(long).toEqual([])
    expect(longFunctions('planted.ts', `function planted() {${'\n'.repeat(90)}}`, 80)).toEqual([
      'planted.ts:1',
    ])
  })

  it('name what a browser keeps, cookies and events in one file', () => {
    const names = 'src/wire/browser-names.ts'
    const strangers = sources
      .filter(file => file !== names)
      .filter(file => KEPT_NAME.test(readFileSync(file, 'utf8')))
    expect(strangers).toEqual([])
    expect(KEPT_NAME.test(readFileSync(names, 'utf8'))).toBe(true)
    for (const planted of [
      "getItem('gift:theme')",
      '`gift:poll-1`',
      "'gift-choices:'",
      `\`lang=\${language}; Path=/\``,
    ])
      expect(KEPT_NAME.test(planted), planted).toBe(true)
  })

  it('name the day of an instant by days.ts, which says in which zone', () => {
    const strangers = [...sources, ...sourceFiles('tests/{e2e,product,support}/**/*.ts')]
      .filter(file => file !== 'src/domain/days.ts')
      .filter(file => /\.toISOString\(\)\.slice\(0, 10\)/.test(readFileSync(file, 'utf8')))
    expect(strangers).toEqual([])
  })

  it('have no line of more than 120 characters in a page, a layout or a component', () => {
    const pages = sourceFiles('src/**/*.astro')
    expect(pages.length).toBeGreaterThan(80)
    const long = pages.flatMap(file =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 120 ? [`${file}:${index + 1}`] : [])),
    )
    expect(long).toEqual([])
  })

  it('keep texts out of the browser bundle: no screen imports the catalogues', () => {
    const strangers = sources
      .filter(file => /^src\/(screens|wire)\//.test(file))
      .filter(file =>
        /from '(#i18n|i18next|zod)/.test(readFileSync(file, 'utf8').replace(/import type [^\n]*\n/g, '')),
      )
      .filter(file => !file.startsWith('src/wire/') || file === 'src/wire/client.ts')
    expect(strangers).toEqual([])
  })
})

/** Where functions begin that are longer than so many lines. */
function longFunctions(file: string, text: string, most: number): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: string[] = []
  const look = (node: ts.Node): void => {
    const isLong = ts.isFunctionLike(node) && lineOf(node.end) - lineOf(node.getStart()) + 1 > most
    if (isLong) found.push(`${file}:${lineOf(node.getStart()) + 1}`)
    ts.forEachChild(node, look)
  }
  look(source)
  return found
}
