import { describe, expect, it } from 'vitest'
import {
  allowsStatistics,
  CONSENT_CATEGORIES,
  CONSENT_CHOICES,
  CONSENT_VERSION,
  type ConsentChoice,
  choiceOfSwitch,
  consentOf,
  readConsent,
  writeConsent,
} from '#domain/consent/consent.ts'
import { forgottenBy } from '#screens/shared/consent/kept-keys.ts'
import { IDENTIFIER_KEYS } from '#wire/browser-names.ts'

const CHOICES = Object.keys(CONSENT_CHOICES) as ConsentChoice[]

describe('consent', () => {
  it('measures nobody who has not answered', () => {
    expect(allowsStatistics(null)).toBe(false)
  })

  it.each([
    ['all', 'pseudo-anonymous'],
    ['reject-optional', 'anonymous'],
    ['reject', 'none'],
  ] as const)('after %s allows %s', (choice, level) => {
    expect(CONSENT_CHOICES[choice]).toBe(level)
    expect(allowsStatistics(writeConsent(consentOf(choice, 1)))).toBe(level !== 'none')
  })

  it('has three categories, of which only the pseudo-anonymous one can be moved', () => {
    expect(CONSENT_CATEGORIES.map(({ id, alwaysOn }) => [id, alwaysOn])).toEqual([
      ['necessary', true],
      ['anonymous', true],
      ['pseudo-anonymous', false],
    ])
    expect([choiceOfSwitch(true), choiceOfSwitch(false)]).toEqual(['all', 'reject-optional'])
  })

  it('forgets every identifier when they are no longer allowed', () => {
    expect(forgottenBy('all')).toEqual([])
    expect(forgottenBy('reject-optional')).toEqual(IDENTIFIER_KEYS)
    expect(forgottenBy('reject')).toEqual(IDENTIFIER_KEYS)
  })
})

describe('a recorded answer', () => {
  it.each(CHOICES)('reads back as it was given: %s', choice => {
    const consent = consentOf(choice, 1_800_000_000_000)
    expect(consent).toEqual({ choice, version: CONSENT_VERSION, at: 1_800_000_000_000 })
    expect(readConsent(writeConsent(consent))).toEqual(consent)
  })

  it('keeps the choice, its version and its time, and nothing else', () => {
    expect(Object.keys(JSON.parse(writeConsent(consentOf('reject', 5))))).toEqual(['choice', 'version', 'at'])
    expect(readConsent('{"choice":"all","version":1,"at":5,"id":"x"}')).toEqual(consentOf('all', 5))
  })

  it.each([
    'all',
    '',
    'null',
    '[]',
    '7',
    '{}',
    '{"choice":"toString","version":1,"at":5}',
    '{"choice":"all","version":0,"at":5}',
    '{"choice":"all","version":"1","at":5}',
    '{"choice":"all","version":1}',
    '{"choice":"all","version":1,"at":"5"}',
    '{"choice":"all","version":1,"at":-5}',
    '{"choice":"all","version":1,"at":1.5}',
  ])('counts as none when it was tampered with: %s', text => {
    expect(readConsent(text)).toBeUndefined()
  })
})
