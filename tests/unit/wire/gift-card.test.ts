import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { THEMES } from '#domain/themes.ts'
import { readCard, redeemCard } from '#wire/gift-card.ts'

const view = {
  authority: 'full',
  createdAt: Date.parse('2026-03-10T09:00:00Z'),
  credit: money(5_000, 'USD'),
  senderName: 'Aina',
  theme: THEMES.palestine,
  consumed: true,
  free: true,
  use: { at: Date.parse('2026-05-01T10:00:00Z') },
} as const

describe('the card call', () => {
  it('answers in the words of the wire', () => {
    expect(readCard.response.parse(view)).toEqual({
      giftcard: {
        createdAt: '2026-03-10T09:00:00.000Z',
        credit: '5000',
        fromName: 'Aina',
        theme: 'palestine',
        currency: 'USD',
        consumed: true,
        sessionId: '',
        bg: '255,255,255',
        text: '0,0,0',
        amount: 5_000,
        baseAmount: 5_000,
        designPalette: 'palestine',
        isCampaign: true,
        isUsed: true,
        usedAt: '2026-05-01T10:00:00.000Z',
      },
    })
  })

  it('names an anonymous sender by the marker', () => {
    const answer = readCard.response.parse({ ...view, senderName: null })
    expect(answer.giftcard.fromName).toBe('FROM_ANONYMOUS')
  })
})

describe('the redemption call', () => {
  it('reads the selection, and answers with the allocations', () => {
    const body = { selected_ngos: [{ ngoSelected: 'cerf', creditSelected: 20, extra: 1 }] }
    expect(redeemCard.request.parse(body)).toEqual([{ ngoId: 'cerf', points: 20 }])
    const allocations = [{ ngoId: 'cerf', points: 20, amount: money(2_000, 'EUR') }]
    const wire = [{ ngoSelected: 'cerf', creditSelected: 20, amount: 2_000, currency: 'EUR' }]
    expect(redeemCard.response.parse({ allocations, receiptKey: 'r' })).toEqual({
      allocations: wire,
      receiptKey: 'r',
    })
    expect(redeemCard.response.parse({ allocations })).toEqual({ allocations: wire })
  })

  it.each<[string, unknown, string]>([
    ['nothing', [], 'selected_ngos'],
    ['no list', {}, 'selected_ngos'],
    ['a half point', [{ ngoSelected: 'a', creditSelected: 0.5 }], 'selected_ngos.0.creditSelected'],
    ['no point', [{ ngoSelected: 'a', creditSelected: 0 }], 'selected_ngos.0.creditSelected'],
    ['a text', [{ ngoSelected: 'a', creditSelected: '5' }], 'selected_ngos.0.creditSelected'],
    ['an endless name', [{ ngoSelected: 'x'.repeat(101), creditSelected: 1 }], 'selected_ngos.0.ngoSelected'],
    [
      'too many',
      Array.from({ length: 101 }, () => ({ ngoSelected: 'a', creditSelected: 1 })),
      'selected_ngos',
    ],
  ])('refuses %s by its path', (_, selected_ngos, path) => {
    const result = redeemCard.request.safeParse({ selected_ngos })
    expect(result.error?.issues.map(issue => issue.path.join('.'))).toEqual([path])
  })
})
