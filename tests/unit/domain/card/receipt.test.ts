import { describe, expect, it } from 'vitest'
import { answerToRepeat, RECEIPT_TOLD_AGAIN_FOR_MS } from '#domain/card/receipt.ts'

const kept = { requestDigest: 'split', attemptDigest: 'attempt', at: 1_000 }
const same = { requestDigest: 'split', attemptDigest: 'attempt' }

describe('a redemption that is sent again', () => {
  it('is told its receipt by its own attempt, for ten minutes and no longer', () => {
    expect(RECEIPT_TOLD_AGAIN_FOR_MS).toBe(600_000)
    expect(answerToRepeat(kept, same, 1_000)).toBe('receipt')
    expect(answerToRepeat(kept, same, 600_999)).toBe('receipt')
    expect(answerToRepeat(kept, same, 601_000)).toBe('success')
  })

  it('is a success without the receipt for whoever sends the same from elsewhere', () => {
    for (const attemptDigest of ['other', '', undefined])
      expect(answerToRepeat(kept, { ...same, attemptDigest }, 1_000)).toBe('success')
  })

  it('has no receipt where the first attempt brought no key', () => {
    for (const attemptDigest of ['attempt', 'null', '', undefined])
      expect(answerToRepeat({ ...kept, attemptDigest: null }, { ...same, attemptDigest }, 1_000)).toBe(
        'success',
      )
  })

  it('is refused for another split, whatever attempt it says it is', () => {
    for (const attemptDigest of ['attempt', undefined])
      expect(answerToRepeat(kept, { requestDigest: 'other', attemptDigest }, 1_000)).toBe('refused')
  })
})
