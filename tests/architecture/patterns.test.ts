import { describe, expect, it } from 'vitest'
import { growthOf, repeated } from '#tests/support/patterns/growth.ts'
import { patternsInSources } from '#tests/support/patterns/in-sources.ts'
import { BAD_PARTS, READERS } from '#tests/support/patterns/readers.ts'
import { worstTexts } from '#tests/support/patterns/worst-texts.ts'

const { written, made } = patternsInSources()

/** Patterns whose time grows faster than the text, and why nobody outside can write that text. */
const OWN_TEXT: readonly { readonly file: string; readonly source: string; readonly because: string }[] = [
  {
    file: 'domain/card/keys.ts',
    source: '^[^\\p{L}\\p{N}]+|[^\\p{L}\\p{N}]+$',
    because: 'readKey looks at no more than 128 characters',
  },
  {
    file: 'screens/shared/panel/panel.ts',
    source: '<main[\\s\\S]*<\\/main>',
    because: 'a page of the site, in the browser',
  },
  { file: 'stand-ins/payments-double/bank.ts', source: '\\/+$', because: 'SITE_URL' },
  {
    file: 'server/http/page-cache/page-policy.ts',
    source: '<(?:script|style)\\b[^>]*>([^<][\\s\\S]*?)<\\/(?:script|style)>',
    because: 'a rendered page; what visitors wrote is escaped in it, and names have 80 characters',
  },
  {
    file: 'server/http/page-cache/page-policy.ts',
    source: '\\s*;\\s*',
    because: 'the policy that the build made',
  },
  { file: 'server/app/studio/built.ts', source: '-[\\w-]{8,}\\.\\w+$', because: 'names of built files' },
  {
    file: 'server/app/studio/policy.ts',
    source: '<script\\b(?![^>]*\\ssrc=)[^>]*>([\\s\\S]+?)<\\/script>',
    because: 'the built page of the Studio',
  },
]

/** What `new RegExp(…)` makes, and which reader of the table runs it, or why nobody outside writes what it reads. */
const MADE: Readonly<Record<string, { readonly reader: string } | { readonly because: string }>> = {
  'domain/analytics/masked.ts': { reader: 'masked' },
  'domain/analytics/route.ts': { reader: 'analytics routeOf' },
  'domain/card/gift-links.ts': { reader: 'isHandleShaped' },
  'domain/card/keys.ts': { reader: 'isKeyShaped' },
  'domain/content/links.ts': { reader: 'isWebLink' },
  'stand-ins/local-lake/index.ts': {
    because: 'a path of one segment between slashes, which no part before it can be',
  },
  'stand-ins/local-lake/routes.ts': { reader: 'local: paths' },
  'stand-ins/payments-double/api.ts': { because: 'reached by this process’s own client alone' },
  'server/platform/db/ids.ts': { reader: 'isIdShaped' },
  'server/platform/db/postgres.ts': { because: 'messages of the database’s client' },
  'server/http/handlers/book-download.ts': { reader: 'photo-book' },
  'server/http/pipeline/key-in-path.ts': { reader: 'withReadKey of new links' },
  'server/modules/images/pictures.ts': { reader: 'pictures' },
  'server/http/router/routes.ts': { reader: 'routeOf of new links' },
}

describe('patterns', () => {
  const exceptions = new Set(OWN_TEXT.map(({ file, source }) => `${file} ${source}`))

  it('of the sources take a time that grows as the text does, whatever the text is', () => {
    const growing = written
      .filter(({ file, source }) => !exceptions.has(`${file} ${source}`))
      .flatMap(pattern => {
        const { file, source, flags } = pattern
        const exp = new RegExp(source, flags)
        const look = (text: string) => (exp.global ? text.replace(exp, '') : exp.test(text))
        const bad = worstTexts(pattern).find(build => growthOf(look, build))
        return bad ? [`${file} /${source}/${flags} with ${JSON.stringify(bad(12))}…`] : []
      })
    expect(growing).toEqual([])
  }, 180_000)

  it('that are left out stand where the list says', () => {
    const all = new Set(written.map(({ file, source }) => `${file} ${source}`))
    expect([...exceptions].filter(each => !all.has(each))).toEqual([])
  })

  it('that are made when they run are named here, each with what tries it', () => {
    expect([...new Set(made.map(({ file }) => file))].sort()).toEqual(Object.keys(MADE).sort())
    const names = new Set(READERS.map(({ name }) => name))
    const readers = Object.values(MADE).flatMap(each => ('reader' in each ? each.reader : []))
    expect(readers.filter(name => !names.has(name))).toEqual([])
  })

  it('are seen to grow where they do', () => {
    for (const source of ['\\/+$', '<head[^>]*>']) {
      const exp = new RegExp(source)
      const grows = worstTexts({ source, flags: '' }).some(build => growthOf(text => exp.test(text), build))
      expect(grows, source).toBe(true)
    }
    // What once stood in `masked`, and one client stopped the site with.
    const address = /[^\s@<>"'(),:;]+(?:@|%40)[^\s@<>"'(),:;\\]+\.[^\s@<>"'(),:;/?&\\]+/gi
    const growth = growthOf(text => text.replace(address, ''), repeated('%40'))
    // A fast machine has done with a thousand characters before its clock shows it.
    expect([1024, 4096]).toContain(growth?.length)
    // It is the slow ones that are timed here.
  }, 300_000)
})

describe('a clock that goes forward by ticks of four milliseconds', () => {
  const tick = 4
  /** How it grows for work that takes so many ms for a text of so many characters, begun within a tick or at its start. */
  const growths = (msOf: (length: number) => number) =>
    [0, 1, 2, 3].map(begun => {
      let now = begun
      const work = (text: string) => {
        now += msOf(text.length)
      }
      return growthOf(work, repeated('a'), () => Math.floor(now / tick) * tick)
    })

  it.each([0.7, 3.5, 5, 6, 8, 11, 24, 40, 90])(
    'tells work of %s ms that grows as its text does from work that grows faster',
    ms => {
      const quarter = 2 ** 14
      // The largest text may be long enough for slower memory.
      const slower = (length: number) => (length > quarter ? 1.8 : 1)
      for (const growth of growths(length => (ms * slower(length) * length) / quarter))
        expect(growth).toBeUndefined()
      for (const growth of growths(length => ms * 40 * (length / quarter) ** 2)) expect(growth).toBeDefined()
    },
  )
})

describe('what reads outside text', () => {
  it.each(READERS)(
    '$name takes a time that grows as the text does',
    ({ read, worst = [] }) => {
      const growing = [...BAD_PARTS, ...worst].flatMap(part => {
        const growth = growthOf(read, repeated(part)) ?? growthOf(read, repeated(part, 'a', '!'))
        return growth ? [`${JSON.stringify(part)}: ${growth.factor} at ${growth.length}`] : []
      })
      expect(growing).toEqual([])
      // Seconds by itself; on a machine that does much else it waits for its turn.
    },
    180_000,
  )
})
