import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  allowsStatistics,
  CONSENT_CHOICES,
  CONSENT_VERSION,
  type ConsentChoice,
  consentOf,
  writeConsent,
} from '#domain/consent/consent.ts'
import { headScript } from '#layouts/page-script-plugin.ts'
import { sourceFiles } from '#tests/support/sources.ts'

const SOURCE = 'src/domain/consent/consent.ts'

/** The same rules after somebody has raised the version there. */
let raised: typeof import('#domain/consent/consent.ts')
/** What a recipient's first screen runs. */
let storyStart: string
beforeAll(async () => {
  storyStart = await headScript('src/screens/shared/story/story-start.script.ts')
  const constant = `CONSENT_VERSION = ${CONSENT_VERSION}`
  const source = readFileSync(SOURCE, 'utf8')
  expect(source).toContain(constant)
  const after = source.replace(constant, `CONSENT_VERSION = ${CONSENT_VERSION + 1}`)
  raised = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(after))}`)
})

const CHOICES = Object.keys(CONSENT_CHOICES) as ConsentChoice[]

/** Does a recipient's first screen ask, with this answer in the browser? */
function asks(kept: string | null, script = storyStart): boolean {
  const classes: string[] = []
  runInNewContext(script, {
    sessionStorage: { getItem: () => '1', setItem() {} },
    localStorage: { getItem: () => kept },
    document: {
      currentScript: { dataset: { start: '/gift-card/x/introduction-1/final' } },
      documentElement: { classList: { add: (name: string) => classes.push(name) } },
    },
    location: { pathname: '/gift-card/x/introduction-1/final' },
  })
  return classes.includes('asks')
}

describe('an answer to the consent question', () => {
  it.each(CHOICES)('of today decides about statistics, whatever order it was written in: %s', choice => {
    const answer = consentOf(choice, 7, 'a'.repeat(64))
    const backwards = Object.fromEntries(Object.entries(answer).reverse())
    for (const kept of [writeConsent(answer), JSON.stringify(backwards), JSON.stringify(answer, null, 2)]) {
      expect(allowsStatistics(kept)).toBe(choice !== 'reject')
      expect(asks(kept)).toBe(false)
    }
  })

  it('that is none, or none of ours, allows nothing and is asked for', () => {
    for (const kept of [
      null,
      '',
      'null',
      'yes',
      '{}',
      '{"choice":"all"}',
      '{"choice":"all","version":1e9,"at":1}',
    ]) {
      expect(allowsStatistics(kept)).toBe(false)
      expect(asks(kept)).toBe(true)
    }
  })

  it('is asked for anew when the version is raised, and a new yes lets statistics load', () => {
    for (const choice of CHOICES) {
      const old = writeConsent(consentOf(choice, 7))
      expect(raised.readConsent(old)).toBeUndefined()
      expect(raised.allowsStatistics(old)).toBe(false)
      const again = raised.writeConsent(raised.consentOf(choice, 8))
      expect(raised.allowsStatistics(again)).toBe(choice !== 'reject')
      expect(asks(again)).toBe(true)
    }
  })

  it('has its version in one place: nothing else compares a number of its own', () => {
    const literal = /["']?\bversion["']?\\?["']?\s*(?::|===?)\s*\d/
    const files = sourceFiles('src/{domain,layouts,pages,screens,server,wire}/**/*.{ts,tsx,astro}')
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter(file => literal.test(readFileSync(file, 'utf8')))).toEqual([])
    // As the two that did, one in a pattern of its own.
    expect(literal.test('/"choice":"(all|reject-optional)","version":1,/')).toBe(true)
    expect(literal.test('answer.version === 1')).toBe(true)
  })
})
