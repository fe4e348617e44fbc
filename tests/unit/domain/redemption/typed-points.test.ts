import { describe, expect, it } from 'vitest'
import { readTypedPoints } from '#domain/redemption/typed-points.ts'

const LISTED = ['msf', 'cerf', 'irc']
const read = (...written: [string, string][]) => readTypedPoints(written, LISTED, 50)

describe('a split written by hand', () => {
  it('is read as whole points, spaces and empty texts aside', () => {
    expect(read(['msf', ' 20 '], ['cerf', ''], ['irc', '0'])).toEqual({
      typed: { msf: '20', irc: '0' },
      points: { msf: 20 },
      faults: undefined,
    })
  })

  it('sums what was written twice for one organisation', () => {
    expect(read(['msf', '20'], ['msf', '30'])).toMatchObject({ points: { msf: 50 }, faults: undefined })
  })

  it.each(['-1', '1.5', '1,5', '1e2', 'two', '٣', '99999999', '<b>', '0x10'])(
    'says that %s is no number of points, and keeps it',
    text => {
      expect(read(['msf', text], ['cerf', '2'])).toMatchObject({
        typed: { msf: text, cerf: '2' },
        points: { cerf: 2 },
        faults: { unreadable: ['msf'], tooMany: 0, empty: false },
      })
    },
  )

  it('says how many are too many, and takes none away', () => {
    expect(read(['msf', '40'], ['cerf', '11'])).toMatchObject({
      typed: { msf: '40', cerf: '11' },
      faults: { tooMany: 1 },
    })
    expect(read(['msf', '40'], ['cerf', '10']).faults).toBeUndefined()
  })

  it('says that nobody has a point', () => {
    expect(read().faults).toMatchObject({ empty: true })
    expect(read(['msf', '0'], ['cerf', '']).faults).toMatchObject({ empty: true })
  })

  it('says that the list has changed only where points were meant for one that has gone', () => {
    expect(read(['msf', '5'], ['gone', '3'])).toEqual({
      typed: { msf: '5' },
      points: { msf: 5 },
      faults: { unreadable: [], tooMany: 0, empty: false, listChanged: true },
    })
    expect(read(['msf', '5'], ['gone', ''], ['__proto__', '0']).faults).toBeUndefined()
  })

  it('is not led astray by names that every object has', () => {
    expect(readTypedPoints([['toString', '1']], ['toString'], 50)).toMatchObject({ points: { toString: 1 } })
  })
})
