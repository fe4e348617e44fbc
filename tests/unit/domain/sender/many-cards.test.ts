import { describe, expect, it } from 'vitest'
import type { ReadList } from '#domain/card/gift-rows.ts'
import { ownEntries } from '#domain/pricing/own-amount.ts'
import { supportOf } from '#domain/pricing/typed-price.ts'
import { readMany, type WrittenMany } from '#domain/sender/many-cards.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'

const written: WrittenMany = {
  currency: 'EUR',
  amount: '20',
  support: '10',
  count: '',
  list: '',
  theme: 'ukraine',
  sender: '',
  message: '',
  fallback: '',
}
const row = { name: 'Ana', words: null }
const listOf = (rows: number, bad: ReadList['bad'] = []): ReadList => ({ rows: Array(rows).fill(row), bad })
const read = (changes: Partial<WrittenMany>, list: ReadList = listOf(0), mostOwn = 500) =>
  readMany({ ...written, ...changes }, list, 'EUR', { offer: firstOffer(), mostOwn })
const faults = (...of: Parameters<typeof read>) => {
  const answer = read(...of)
  return 'faults' in answer ? answer.faults.map(({ field, rule }) => `${field} ${rule}`) : []
}

describe('many cards', () => {
  it('are as many as the list has lines, or as the number says', () => {
    expect(read({}, listOf(3))).toMatchObject({ choice: { cards: 3, rows: [row, row, row] } })
    expect(read({ count: '4' }, listOf(3))).toMatchObject({
      choice: { cards: 4, rows: [row, row, row, { name: null, words: null }] },
    })
    expect(read({ count: ' 500 ' })).toMatchObject({ choice: { cards: 500, rows: [] } })
  })

  it.each([
    ['', 0],
    ['', 1],
    ['1', 0],
    ['501', 0],
    ['0', 0],
    ['-3', 0],
    ['2.5', 0],
    ['many', 3],
  ])('cannot be %j with a list of %i', (count, rows) => {
    expect(faults({ count }, listOf(rows))).toEqual(['count range'])
  })

  it('are refused where the list has more of them, or lines to mend', () => {
    expect(faults({ count: '2' }, listOf(3))).toEqual(['count fewer-than-rows'])
    expect(faults({}, listOf(501))).toEqual(['list too-many'])
    expect(faults({}, { rows: [], bad: [], isTooLong: true })).toEqual(['list too-many'])
    expect(faults({}, listOf(0, [{ line: 1, text: '"', fault: 'quotes' }]))).toEqual(['list lines'])
  })

  it('say all that is wrong at once, in the order of the form', () => {
    const wrong = { amount: '1', sender: 'x'.repeat(81), message: 'www.example.com', count: '1' }
    expect(faults(wrong)).toEqual(['amount range', 'count range', 'sender too-long', 'message words'])
    expect(faults(wrong, listOf(0, [{ line: 1, text: '"', fault: 'quotes' }]))).toEqual([
      'amount range',
      'list lines',
      'count range',
      'sender too-long',
      'message words',
    ])
  })

  it('are of an amount that is sold: an own one, or that of a package where none else is', () => {
    expect(read({ amount: '37', count: '2' })).toMatchObject({
      choice: { entry: { packageId: 'own', ngoAmount: 3_700 } },
    })
    for (const amount of ['1', '501', '20.50', '', 'x'])
      expect(faults({ amount, count: '2' })).toEqual(['amount range'])
    expect(read({ amount: '20', count: '2' }, listOf(0), 0)).toMatchObject({
      choice: { entry: { packageId: 'their food', ngoAmount: 2_000 } },
    })
    expect(faults({ amount: '37', count: '2' }, listOf(0), 0)).toEqual(['amount range'])
  })

  it('take the highest support that is sold and no more than the share', () => {
    const [entry] = ownEntries(2_000, [2, 500])
    expect([0, 5, 10, 20, Number.NaN, -1].map(share => supportOf(entry!, share))).toEqual([
      0, 0, 200, 400, 0, 0,
    ])
  })
})
