import { describe, expect, it } from 'vitest'
import { lettersOf, readNumber, writeNumber } from '#domain/payment/document-number.ts'

describe('the number of a document', () => {
  const drawn = { year: 2026, number: 17 }

  it('has letters of its order behind it, which no other order has after a restore', () => {
    const id = '01kb2c3d4e5f6g7h8j9k0m7qk3'
    expect(lettersOf(id)).toBe('7QK3')
    const of = (orderId: string) => writeNumber({ ...drawn, mark: 'S', letters: lettersOf(orderId) })
    expect([of(id), of(id.replace('7qk3', 'x0z1'))]).toEqual(['S2026-000017-7QK3', 'S2026-000017-X0Z1'])
  })

  it('is read again as it was written', () => {
    for (const mark of ['P', 'S', 'R', ''] as const)
      for (const letters of ['', '7QK3']) {
        const document = { ...drawn, mark, letters }
        expect(readNumber(writeNumber(document))).toEqual(document)
        expect(readNumber(writeNumber(document).toLowerCase())).toEqual(document)
      }
  })

  it.each(['', 'P2026-17', 'P2026-000017-7QK', 'X2026-000017', '2026-11-21', '000017'])(
    'is not read out of other texts: "%s"',
    text => {
      expect(readNumber(text)).toBeUndefined()
    },
  )
})
