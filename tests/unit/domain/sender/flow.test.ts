import { describe, expect, it } from 'vitest'
import {
  firstMissingStep,
  nextScreen,
  previousScreen,
  SENDER_WAYS,
  type SenderChoices,
  type SenderScreen,
  SUMMARIES,
  screenAfterChange,
  stepOf,
  type Way,
} from '#domain/sender/flow.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'

function walk(way: Way): string[] {
  const screens: string[] = []
  for (
    let screen: SenderScreen | 'provider' = 'intro';
    screen !== 'provider';
    screen = nextScreen(screen, way)
  ) {
    screens.push(screen)
  }
  return [...screens, 'provider']
}

const everything: SenderChoices = {
  themeId: 'palestine',
  packageId: 'their water',
  sender: { kind: 'anonymous' },
  supportAmount: 0,
}

describe('the sender’s way', () => {
  it('is long through every screen', () => {
    expect(walk('long').join(' → ')).toBe(
      'intro → choose-theme → choose → gift-card-design-donation → how-it-works-donation → ngo-list → ' +
        'donation-sender-name → packages-donation → donation-packages-support-amount → donation-prepayment → provider',
    )
  })

  it('is short through the packages', () => {
    expect(walk('short').join(' → ')).toBe(
      'intro → packages-donation → donation-sender-name → donation-packages-support-amount → ' +
        'donation-prepayment → provider',
    )
  })

  it('leads from a screen beside the short way back to the packages', () => {
    for (const screen of ['choose-theme', 'choose', 'how-it-works-donation', 'ngo-list'] as const) {
      expect(nextScreen(screen, 'short')).toBe('packages-donation')
    }
  })

  it('leads back the way it came, and never to the splash', () => {
    for (const way of ['long', 'short'] as const)
      for (const screen of SENDER_WAYS[way]) {
        const next = nextScreen(screen, way)
        if (next === 'provider') continue
        expect(previousScreen(next, way)).toBe(screen === 'intro' ? undefined : screen)
      }
    expect(previousScreen('intro', 'long')).toBeUndefined()
    expect(previousScreen('ngo-list', 'short')).toBe('packages-donation')
    expect(previousScreen('how-it-works-donation', 'short')).toBe('packages-donation')
  })
})

describe('a screen whose earlier choices are missing', () => {
  it.each(['long', 'short'] as const)('is open on the %s way once everything is chosen', way => {
    for (const screen of SENDER_WAYS[way]) expect(firstMissingStep(screen, everything, way)).toBeUndefined()
  })

  it('sends to the first missing one of the short way', () => {
    const prepayment = (choices: SenderChoices) => firstMissingStep('donation-prepayment', choices)
    expect(prepayment({})).toBe('packages-donation')
    expect(prepayment({ sender: everything.sender, supportAmount: 0 })).toBe('packages-donation')
    expect(prepayment({ packageId: 'their water' })).toBe('donation-sender-name')
    expect(prepayment({ ...everything, supportAmount: undefined })).toBe('donation-packages-support-amount')
  })

  it('sends to the first missing one of the long way', () => {
    expect(firstMissingStep('donation-prepayment', {}, 'long')).toBe('donation-sender-name')
    expect(firstMissingStep('donation-prepayment', { sender: everything.sender }, 'long')).toBe(
      'packages-donation',
    )
    expect(firstMissingStep('packages-donation', {}, 'long')).toBe('donation-sender-name')
  })

  it('asks for nothing that comes later', () => {
    expect(firstMissingStep('packages-donation', {})).toBeUndefined()
    expect(firstMissingStep('donation-sender-name', { packageId: 'their water' })).toBeUndefined()
    expect(
      firstMissingStep('donation-packages-support-amount', { ...everything, supportAmount: null }),
    ).toBeUndefined()
  })

  it('takes a support of 0 for a choice, and a missing theme for the default', () => {
    expect(
      firstMissingStep('donation-prepayment', { ...everything, themeId: null, supportAmount: 0 }),
    ).toBeUndefined()
  })

  it('is never one beside the way', () => {
    expect(firstMissingStep('ngo-list', {}, 'short')).toBeUndefined()
  })
})

describe('a screen opened from the summary', () => {
  const all: SenderChoices = {
    ...everything,
    mission: { kind: 'decide-later' },
    volunteeringSender: 'Íñigo',
    volunteeringSupport: 0,
  }
  const leadsTo = (kind: GiftKind, way: Way, choices: SenderChoices) =>
    screenAfterChange(kind, firstMissingStep(SUMMARIES[kind], choices, way))

  it.each([
    ['donation', 'long'],
    ['donation', 'short'],
    ['volunteering', 'volunteering'],
  ] as const)('leads back to the summary of the %s on the %s way', (kind, way) => {
    expect(SENDER_WAYS[way].at(-1)).toBe(SUMMARIES[kind])
    expect(leadsTo(kind, way, all)).toBe(SUMMARIES[kind])
  })

  it('leads over what the change has left open: another package asks for its support', () => {
    for (const way of ['long', 'short'] as const)
      expect(leadsTo('donation', way, { ...all, supportAmount: undefined })).toBe(
        'donation-packages-support-amount',
      )
  })
})

describe('the steps', () => {
  it('are of one number on ways that begin alike, and go on by one', () => {
    const steps = (way: Way) => SENDER_WAYS[way].flatMap(screen => stepOf(screen, way) ?? [])
    const [long, volunteering] = [steps('long'), steps('volunteering')]
    expect(volunteering).toEqual(long)
    expect(long.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('are four on the short way', () => {
    expect(SENDER_WAYS.short.map(screen => stepOf(screen, 'short'))).toEqual([
      undefined,
      { step: 1, total: 4 },
      { step: 2, total: 4 },
      { step: 3, total: 4 },
      { step: 4, total: 4 },
    ])
  })

  it('are six on the long way, which also tells', () => {
    expect(SENDER_WAYS.long.map(screen => stepOf(screen, 'long')?.step)).toEqual([
      undefined,
      1,
      2,
      undefined,
      undefined,
      undefined,
      3,
      4,
      5,
      6,
    ])
    expect(stepOf('ngo-list', 'short')).toBeUndefined()
  })
})
