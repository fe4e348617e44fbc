import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askAgainAfter, type Place } from '#domain/limits/waiting-room.ts'
import { createSharedRoom } from '#server/modules/waiting-room/shared-room.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { overtaken } from '../../../../bench/report/statistics.ts'

const PER_SECOND = 20
const ARRIVALS = 200
const TICK_MS = 50
/** For so long they come, and for so long they are looked at. */
const RUSH_S = count({ usual: 6, long: 300 })
const EVENING_S = count({ usual: 40, long: 900 })
/** After the first seconds, when those come in who may come at once, the admitted are counted by so many seconds. */
const SETTLED_S = 15
const COUNTED_S = 10

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(() => test.plant('delete from waiting_rooms'))

interface Visitor {
  readonly number: number
  readonly leaves: boolean
  readonly process: number
  place: Place | undefined
}

interface Admitted {
  readonly number: number
  /** s */
  readonly at: number
}

/** A whole evening: visitors press, are told when to ask again, and do so a moment late, as networks are. */
async function evening(leaving: number): Promise<readonly Admitted[]> {
  const another = await test.another()
  let now = 0
  const rooms = [test.db, another].map(db =>
    createSharedRoom({ db, name: 'gateway', perSecond: PER_SECOND, commonUs: () => 1e9 + now * 1_000 }),
  )
  const chance = fakeChance(22)
  const due = new Map<number, Visitor[]>()
  const admitted: Admitted[] = []
  const comesAt = (tick: number, visitor: Visitor) => due.set(tick, [...(due.get(tick) ?? []), visitor])
  for (let number = 0; number < RUSH_S * ARRIVALS; number++) {
    const visitor = { number, leaves: chance() < leaving, process: number % 2, place: undefined }
    comesAt(Math.floor(((number / ARRIVALS) * 1_000) / TICK_MS), visitor)
  }
  for (let tick = 0; tick < (EVENING_S * 1_000) / TICK_MS; tick++) {
    now = tick * TICK_MS
    const asking = due.get(tick) ?? []
    due.delete(tick)
    await Promise.all(
      asking.map(async visitor => {
        const standing = await rooms[visitor.process]!.ask({ place: visitor.place, lane: 0 })
        if (standing.kind === 'full') throw new Error('nobody may be sent away')
        if (standing.kind === 'in') {
          admitted.push({ number: visitor.number, at: now / 1_000 })
          return
        }
        if (standing.isOver) throw new Error('nobody who stays may lose their place')
        visitor.place = standing.place
        if (visitor.leaves) return
        const { waitMs } = standing
        const late = chance() * 80
        // Whose turn comes within two seconds waits in the request.
        const after = waitMs <= 2_000 ? waitMs : askAgainAfter(waitMs) + late
        comesAt(tick + Math.max(1, Math.ceil(after / TICK_MS)), visitor)
      }),
    )
  }
  return admitted
}

describe.each([
  ['everybody stays', 0],
  ['three in ten leave', 0.3],
])('an evening with ten times as many as may come in, when %s', (_, leaving) => {
  it('lets in twenty a second, in their order, each once', { timeout: 3_600_000 }, async () => {
    const admitted = await evening(leaving)
    const end = Math.min(EVENING_S, ((RUSH_S * ARRIVALS * (1 - leaving)) / PER_SECOND) * 0.9)
    const spans = Math.floor((end - SETTLED_S) / COUNTED_S)
    expect(spans).toBeGreaterThanOrEqual(2)
    for (let n = 0; n < spans; n++) {
      const from = SETTLED_S + n * COUNTED_S
      const within = admitted.filter(({ at }) => at >= from && at < from + COUNTED_S).length
      expect(Math.abs(within / COUNTED_S - PER_SECOND), `from second ${from}`).toBeLessThanOrEqual(1)
    }
    expect(new Set(admitted.map(({ number }) => number)).size).toBe(admitted.length)
    expect(overtaken(admitted)).toBeLessThanOrEqual(2)
  })
})
