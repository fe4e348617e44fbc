import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { checkParts, readOwnMoney, type WrittenOwnMoney } from '#domain/own-money/own-money.ts'
import { splitCredit, splitInProportion } from '#domain/redemption/split.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'

const LISTED = ['cerf', 'msf', 'unicef']
const read = (changes: Partial<WrittenOwnMoney>) =>
  readOwnMoney(
    { currency: 'EUR', amount: '20', support: '10', parts: [['msf', '1']], ...changes },
    'EUR',
    LISTED,
    { offer: firstOffer(), mostOwn: 500 },
  )
const amounts = (changes: Partial<WrittenOwnMoney>) => {
  const answer = read(changes)
  return 'choice' in answer && answer.choice.allocations.map(({ ngoId, amount }) => [ngoId, amount.amount])
}

describe('own money', () => {
  it('is divided by parts, in the order of the list, to the cent', () => {
    expect(
      amounts({
        parts: [
          ['unicef', '1'],
          ['cerf', '2'],
        ],
      }),
    ).toEqual([
      ['cerf', 1333],
      ['unicef', 667],
    ])
    expect(
      amounts({
        amount: '50',
        parts: [
          ['msf', '49'],
          ['cerf', '1'],
        ],
      }),
    ).toEqual([
      ['cerf', 100],
      ['msf', 4900],
    ])
    expect(read({})).toMatchObject({
      choice: { supportAmount: 200, entry: { packageId: 'own', ngoAmount: 2_000 } },
    })
  })

  it('is divided as a card of as many points would be, and always whole', () => {
    const parts = fc.uniqueArray(fc.record({ ngoId: fc.string(), points: fc.integer({ min: 1, max: 60 }) }), {
      selector: ({ ngoId }) => ngoId,
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(parts, fc.integer({ min: 0, max: 200_000 }), (chosen, more) => {
        const points = chosen.reduce((sum, each) => sum + each.points, 0)
        const credit = money(points * 100 + more, 'EUR')
        const given = splitInProportion(credit, chosen)
        const paid = ({ ngoId, amount }: (typeof given)[number]) => [ngoId, amount]
        expect(given.map(paid)).toEqual(splitCredit(credit, chosen).map(paid))
        const small = splitInProportion(money(more, 'EUR'), chosen)
        expect(small.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(more)
      }),
    )
  })

  it('says all that has to be written otherwise, and keeps what was written', () => {
    expect(read({ amount: '0.5', parts: [['msf', 'two']] })).toEqual({
      typed: { msf: 'two' },
      faults: {
        amount: true,
        parts: { unreadable: ['msf'], empty: false, listChanged: false, tooSmall: false },
      },
    })
    expect(read({ parts: [['gone', '1']] })).toMatchObject({ faults: { parts: { listChanged: true } } })
    expect(read({ parts: [] })).toMatchObject({ faults: { amount: false, parts: { empty: true } } })
    expect(
      read({
        amount: '2',
        parts: [
          ['msf', '9999999'],
          ['cerf', '1'],
        ],
      }),
    ).toMatchObject({
      faults: { amount: false, parts: { tooSmall: true } },
    })
  })

  it('is refused with parts that divide nothing, whoever sends them', () => {
    const refused = (parts: Parameters<typeof checkParts>[1]) => () => checkParts(2_000, parts, LISTED)
    expect(refused([{ ngoId: 'msf', points: 1 }])).not.toThrow()
    for (const points of [0, -1, 0.5, Number.NaN])
      expect(refused([{ ngoId: 'msf', points }])).toThrow(expect.objectContaining({ code: 'invalid-fields' }))
    expect(refused([])).toThrow(expect.objectContaining({ code: 'invalid-fields' }))
    const twice = { ngoId: 'msf', points: 1 }
    expect(refused([twice, twice])).toThrow(expect.objectContaining({ code: 'invalid-fields' }))
    expect(refused([{ ngoId: 'gone', points: 1 }])).toThrow(
      expect.objectContaining({ code: 'ngo-not-listed' }),
    )
  })
})
