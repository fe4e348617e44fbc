import { describe, expect, it } from 'vitest'
import { ARCHIVE_KEPT_DAYS, oldestKept, snapshotFor } from '#domain/backup/archive.ts'
import { DAY_MS } from '#domain/durations.ts'

const copies = [
  { generation: 2, number: 0, at: 5 * DAY_MS },
  { generation: 1, number: 900, at: 3 * DAY_MS },
  { generation: 1, number: 0, at: 2 * DAY_MS },
  // A clock that was put back: the generation says what came later.
  { generation: 3, number: 0, at: 4 * DAY_MS },
]

describe('the copy from which an instant is reached', () => {
  it('is the newest of all where no instant is asked for', () => {
    expect(snapshotFor(copies)).toMatchObject({ generation: 3 })
    expect(snapshotFor([])).toBeUndefined()
  })

  it('is the newest that was made by then', () => {
    expect(snapshotFor(copies, 3 * DAY_MS)).toMatchObject({ generation: 1, number: 900 })
    expect(snapshotFor(copies, 3 * DAY_MS - 1)).toMatchObject({ generation: 1, number: 0 })
    expect(snapshotFor(copies, 2 * DAY_MS - 1)).toBeUndefined()
  })
})

describe('what an archive keeps', () => {
  it('is whatever an instant of two weeks needs', () => {
    const kept = ARCHIVE_KEPT_DAYS * DAY_MS
    expect(oldestKept(copies, 3 * DAY_MS + kept)).toMatchObject({ generation: 1, number: 900 })
    expect(oldestKept(copies, 2 * DAY_MS + kept - 1)).toBeUndefined()
  })
})
