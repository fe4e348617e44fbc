import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_TAX_RATES } from '#domain/money/tax.ts'
import { quote } from '#domain/pricing/quote.ts'
import {
  VOLUNTEERING_INTRODUCTIONS,
  VOLUNTEERING_SCREENS,
} from '#domain/receiver/volunteering-introductions.ts'
import {
  firstMissingStep,
  nextScreen,
  previousScreen,
  SENDER_WAYS,
  stepOf,
  wayOfScreen,
} from '#domain/sender/flow.ts'
import { sliderExtra } from '#domain/support/slider.ts'
import { calendarFile } from '#domain/volunteering/calendar.ts'
import { cleanMission, readMission } from '#domain/volunteering/mission.ts'
import { INAUGURATION_PACKAGE } from '#domain/volunteering/package.ts'
import { CATALOGUES } from '../../../../src/i18n/catalogues.ts'

const LISTED = ['mission-medical']

describe('the mission', () => {
  it('is decided later, one of the list, or a text', () => {
    expect(readMission({ kind: 'decide-later', text: '' }, LISTED)).toEqual({ kind: 'decide-later' })
    expect(readMission({ kind: 'listed', id: 'mission-medical', text: '' }, LISTED)).toEqual({
      kind: 'listed',
      id: 'mission-medical',
    })
    expect(readMission({ kind: 'other', text: ' Un\u0000 día\n juntos ' }, LISTED)).toEqual({
      kind: 'other',
      text: 'Un día juntos',
    })
  })

  it.each([
    ['nothing chosen', { text: 'x' }],
    ['a mission that is gone', { kind: 'listed', id: 'mission-old', text: '' }],
    ['an empty text', { kind: 'other', text: ' \u200b ' }],
    ['a text that is a listed id', { kind: 'other', text: 'mission-medical' }],
    ['a text that can only be an id', { kind: 'other', text: 'mission-gone' }],
  ] as const)('is not complete with %s', (_, choice) => {
    expect(readMission(choice, LISTED)).toBeUndefined()
  })

  it('keeps at most 200 characters and cuts none apart', () => {
    expect([...cleanMission('ñ'.repeat(300))]).toHaveLength(200)
    expect(cleanMission(`${'a'.repeat(199)}👩‍👩‍👧`)).toBe('a'.repeat(199))
  })
})

describe('the package', () => {
  it('costs 100, and its slider reaches 40 times as far', () => {
    const quoted = quote(
      [INAUGURATION_PACKAGE],
      { packageId: 'inauguration package', ngoAmount: 10_000, supportAmount: 80_000, currency: 'GBP' },
      DEFAULT_TAX_RATES,
    )
    expect(quoted.total).toEqual({ amount: 90_000, currency: 'GBP' })
    expect(
      sliderExtra({ support: 0, price: 100, multiplier: INAUGURATION_PACKAGE.multiplier, position: 20 }),
    ).toBe(800)
  })

  it('is sold at no other price', () => {
    fc.assert(
      fc.property(fc.nat(500_000), fc.nat(500_000), (ngoAmount, supportAmount) => {
        fc.pre(ngoAmount !== 10_000 || supportAmount % 40_000 !== 0 || supportAmount > 400_000)
        expect(() =>
          quote(
            [INAUGURATION_PACKAGE],
            { packageId: 'inauguration package', ngoAmount, supportAmount, currency: 'EUR' },
            DEFAULT_TAX_RATES,
          ),
        ).toThrow('price-not-listed')
      }),
    )
  })
})

describe('the way of an invitation', () => {
  it('leads from the phrase to the provider', () => {
    const screens = SENDER_WAYS.volunteering.slice(3)
    expect(screens.map(screen => nextScreen(screen, 'volunteering'))).toEqual([
      ...screens.slice(1),
      'provider',
    ])
    expect(previousScreen('gift-card-design-volunteering', 'volunteering')).toBe('choose')
    expect(screens.map(wayOfScreen)).toEqual(screens.map(() => 'volunteering'))
    expect(wayOfScreen('packages-donation')).toBeUndefined()
    expect(stepOf('volunteering-prepayment', 'volunteering')).toEqual({ step: 6, total: 6 })
  })

  it('starts at the first missing choice', () => {
    const missing = (choices: object) => firstMissingStep('volunteering-prepayment', choices, 'volunteering')
    expect(missing({})).toBe('mission')
    expect(missing({ mission: 1 })).toBe('volunteering-sender-name')
    expect(missing({ mission: 1, volunteeringSender: 1 })).toBe('volunteering-packages-support-amount')
    expect(missing({ mission: 1, volunteeringSender: 1, volunteeringSupport: 0 })).toBeUndefined()
  })

  it('leaves the donation’s ways as they are', () => {
    expect(SENDER_WAYS.long.at(-1)).toBe('donation-prepayment')
    expect(nextScreen('donation-prepayment', 'long')).toBe('provider')
  })
})

describe('the introductions of an invitation', () => {
  it('follow one another, 2 s each, and end with the mission', () => {
    const all = VOLUNTEERING_SCREENS.map(screen => VOLUNTEERING_INTRODUCTIONS[screen])
    expect(all.map(({ next }) => next)).toEqual([...VOLUNTEERING_SCREENS.slice(1), undefined])
    expect(all.every(({ waitMs, textAfterMs }) => waitMs === 2_000 && textAfterMs === 2_000)).toBe(true)
    expect(all.map(({ shows }) => shows)).toEqual([
      'sender',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'memorial',
      undefined,
      'mission',
    ])
    for (const { titleKey } of all) expect(CATALOGUES.es).toHaveProperty([titleKey])
  })
})

describe('the calendar file', () => {
  const event = {
    uid: 'one@cards.example',
    day: '2028-02-29',
    stamp: Date.parse('2026-03-10T09:00:00.5Z'),
    summary: 'Voluntariado: niños, música; y \\ más',
    description: `Línea\nnueva ${'ñandú '.repeat(40)}👩‍👩‍👧`,
  }
  const unfolded = (file: string): string[] => file.replaceAll('\r\n ', '').split('\r\n')

  it('is one whole-day event, escaped, with CRLF at every line’s end', () => {
    const lines = unfolded(calendarFile(event))
    expect(lines).toContain('DTSTART;VALUE=DATE:20280229')
    expect(lines).toContain('DTEND;VALUE=DATE:20280301')
    expect(lines).toContain('DTSTAMP:20260310T090000Z')
    expect(lines).toContain('SUMMARY:Voluntariado: niños\\, música\\; y \\\\ más')
    expect(lines.find(line => line.startsWith('DESCRIPTION:'))).toMatch(/^DESCRIPTION:Línea\\nnueva ñandú/)
    expect(calendarFile(event).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  it('folds at 75 octets and cuts no character, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), summary => {
        const file = calendarFile({ ...event, summary })
        for (const line of file.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line.isWellFormed()).toBe(true)
        }
        expect(unfolded(file).filter(line => line === 'BEGIN:VEVENT')).toHaveLength(1)
      }),
    )
  })
})
