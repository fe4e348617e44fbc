import { expect, it } from 'vitest'
import { table } from '#server/ops/table.ts'

const ID = '01m88c9x045dmy8ptr9a7gesym'

it('cuts what is widest where a terminal is too narrow, and never an id, which the next command wants', () => {
  const [, row] = table(
    [{ title: 'payout' }, { title: 'words' }, { title: 'more' }],
    [[ID, 'w'.repeat(60), 'm'.repeat(30)]],
  )
  expect(row).toHaveLength(100)
  expect(row).toMatch(new RegExp(`^${ID}  w+…  m+$`))
})

it('is wider than a terminal rather than unreadable', () => {
  const [, row] = table(
    Array.from({ length: 5 }, (_, n) => ({ title: `c${n}` })),
    [Array(5).fill(ID)],
  )
  expect(row).toBe(Array(5).fill(ID).join('  '))
})
