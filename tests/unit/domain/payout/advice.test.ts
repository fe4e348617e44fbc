import { describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { ADVICE_DAYS, adviceAnswer, MOST_RECEIPT_BYTES, receiptKindOf } from '#domain/payout/advice.ts'

const bytes = (...first: number[]) => Uint8Array.from([...first, 1, 2, 3])

describe('a receipt', () => {
  it.each([
    ['a PDF', [0x25, 0x50, 0x44, 0x46, 0x2d], 'pdf'],
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'png'],
    ['a JPEG', [0xff, 0xd8, 0xff], 'jpg'],
    ['a GIF', [0x47, 0x49, 0x46, 0x38], 'kind'],
    ['a PDF that begins with something else', [0x20, 0x25, 0x50, 0x44, 0x46, 0x2d], 'kind'],
    ['half a beginning', [0x89, 0x50], 'kind'],
  ])('is known by its first bytes: %s', (_, first, kind) => {
    expect(receiptKindOf(bytes(...first))).toBe(kind)
  })

  it('has 5 MB at most', () => {
    const of = (length: number) => {
      const file = new Uint8Array(length)
      file.set([0xff, 0xd8, 0xff])
      return receiptKindOf(file)
    }
    expect(of(MOST_RECEIPT_BYTES)).toBe('jpg')
    expect(of(MOST_RECEIPT_BYTES + 1)).toBe('large')
  })
})

describe('the link of a mail about a payout', () => {
  const times = { createdAt: 1_000, withdrawnAt: null, receivedAt: null }
  const end = 1_000 + ADVICE_DAYS * DAY_MS

  it('opens the form for its days', () => {
    expect(adviceAnswer(times, end - 1)).toBe('open')
    expect(adviceAnswer(times, end)).toBe('dead')
  })

  it('shows for ever what was confirmed, and nothing once it is withdrawn', () => {
    expect(adviceAnswer({ ...times, receivedAt: 5_000 }, end)).toBe('received')
    expect(adviceAnswer({ ...times, receivedAt: 5_000, withdrawnAt: 6_000 }, 7_000)).toBe('dead')
  })
})
