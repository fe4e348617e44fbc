import { describe, expect, it } from 'vitest'
import {
  DONATION_INTRODUCTIONS,
  FIRST_INTRODUCTION,
  INTRODUCTION_SCREENS,
  type IntroductionScreen,
  isIntroductionScreen,
  isReceiverScreen,
  RECEIVER_SCREENS,
  stepAround,
  stepOfMessage,
  storyStep,
} from '#domain/receiver/introductions.ts'

function storyFrom(screen: IntroductionScreen): string[] {
  const { next } = DONATION_INTRODUCTIONS[screen]
  return next === 'select-ngo' ? [screen, next] : [screen, ...storyFrom(next)]
}

describe('the introductions', () => {
  it('tell 1, 2, 4, 5, 6, 7 and lead to the choice', () => {
    expect(storyFrom(FIRST_INTRODUCTION)).toEqual([
      'introduction-1',
      'introduction-2',
      'introduction-4',
      'introduction-5',
      'introduction-6',
      'introduction-7',
      'select-ngo',
    ])
  })

  it('join the story from their variants', () => {
    expect(storyFrom('introduction-3').slice(0, 2)).toEqual(['introduction-3', 'introduction-4'])
    expect(storyFrom('introduction-8')).toEqual(['introduction-8', 'introduction-9', 'select-ngo'])
  })

  it('wait 3 s on the first, 5 s on the fifth, else 2 s', () => {
    const own: Readonly<Record<string, number>> = { 'introduction-1': 3000, 'introduction-5': 5000 }
    for (const screen of INTRODUCTION_SCREENS)
      expect(DONATION_INTRODUCTIONS[screen].waitMs, screen).toBe(own[screen] ?? 2000)
  })

  it('show their text after 2 s, the ninth after 7 s', () => {
    for (const screen of INTRODUCTION_SCREENS)
      expect(DONATION_INTRODUCTIONS[screen].textAfterMs, screen).toBe(
        screen === 'introduction-9' ? 7000 : 2000,
      )
  })

  it('count how far along the story one is, a variant as the screen that is as far from its end', () => {
    expect(INTRODUCTION_SCREENS.map(screen => storyStep(screen).at)).toEqual([1, 2, 2, 3, 4, 5, 6, 5, 6])
    expect(new Set(INTRODUCTION_SCREENS.map(screen => storyStep(screen).of))).toEqual(new Set([6]))
  })

  it('has the giver’s own words behind its first screen, and moves the others on', () => {
    expect(stepOfMessage(storyStep('introduction-1'))).toEqual({ at: 2, of: 7 })
    expect(INTRODUCTION_SCREENS.map(screen => stepAround(storyStep(screen)).at)).toEqual([
      1, 3, 3, 4, 5, 6, 7, 6, 7,
    ])
  })

  it('have a sentence each', () => {
    const keys = INTRODUCTION_SCREENS.map(screen => DONATION_INTRODUCTIONS[screen].titleKey)
    expect(keys).toEqual(INTRODUCTION_SCREENS.map(screen => `${screen}-title`))
  })

  it('show the envelope, the preview notice and the way to the gift on the first, the credit on the fourth and the eighth, and until when before the list', () => {
    const having = (
      trait:
        | 'showsCredit'
        | 'showsAmount'
        | 'showsEnvelope'
        | 'saysUntil'
        | 'showsPreviewNotice'
        | 'offersGift',
    ) => INTRODUCTION_SCREENS.filter(screen => DONATION_INTRODUCTIONS[screen][trait])
    expect(having('showsEnvelope')).toEqual(['introduction-1'])
    expect(having('showsAmount')).toEqual(['introduction-4'])
    expect(having('saysUntil')).toEqual(['introduction-7', 'introduction-9'])
    expect(having('showsCredit')).toEqual(['introduction-8'])
    expect(having('showsPreviewNotice')).toEqual(['introduction-1'])
    expect(having('offersGift')).toEqual(['introduction-1'])
  })
})

describe('the receiver’s screens', () => {
  it('are those of the paths, with the giver’s own words', () => {
    expect(RECEIVER_SCREENS).toHaveLength(18)
    expect(RECEIVER_SCREENS.every(isReceiverScreen)).toBe(true)
    expect(['introduction-0', 'introduction-10', 'preview', '', 'at', undefined].some(isReceiverScreen)).toBe(
      false,
    )
  })

  it('tell introductions from the rest', () => {
    expect(RECEIVER_SCREENS.filter(isIntroductionScreen)).toEqual(INTRODUCTION_SCREENS)
  })
})
