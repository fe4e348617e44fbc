import { describe, expect, it } from 'vitest'
import { TIMINGS } from '#domain/timings.ts'

describe('the waits', () => {
  it('are the ones of the specification', () => {
    expect({ ...TIMINGS }).toEqual({
      routeFade: 1000,
      envelopeOpens: 600,
      introFade: 7000,
      hintAfter: 2000,
      splashFirstStep: 1500,
      splashSecondStep: 3500,
      splashThirdStep: 6000,
      splashTapAfter: 6000,
      packagesHeaderAfter: 1000,
      packagesRestAfter: 5000,
      introductionTextAfter: 2000,
      introductionLateTextAfter: 7000,
      introductionWait: 2000,
      introductionFirstWait: 3000,
      introductionLongWait: 5000,
      selectNgoHint: 8000,
      thanksTextAfter: 4000,
      thanksTapAfter: 6000,
      scrollThrottle: 200,
      touchScrollThrottle: 100,
      orientationThrottle: 5000,
      pollDebounce: 2000,
      sessionRetryBase: 500,
    })
  })
})
