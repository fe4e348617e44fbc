import { expect, it } from 'vitest'
import { nextList } from '../../../studio/src/rules/next-list.ts'

const list = {
  _id: 'ngoList-2026',
  year: 2026,
  reviewedAt: '2026-11-16',
  reviewedBy: 'Operator',
  ngos: [
    { _key: 'b', _type: 'reference', _ref: 'ngo-2' },
    { _key: 'a', _type: 'reference', _ref: 'ngo-1' },
  ],
}

it('copies the organisations in their order into a draft for the following year, reviewed by nobody', () => {
  expect(nextList(list, '2026-11-21')).toEqual({
    _id: 'drafts.ngoList-2027',
    _type: 'ngoList',
    year: 2027,
    startedOn: '2026-11-21',
    ngos: list.ngos,
  })
})

it('copies a list that is still empty', () => {
  expect(nextList({ year: 2026 }, '2026-11-21')).toMatchObject({ year: 2027, ngos: [] })
})
