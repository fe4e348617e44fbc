import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askAgainAfter, EMPTY_ROOM, LANES, type Place, type Room } from '#domain/limits/waiting-room.ts'

const SECOND = 1_000_000
const PER_SECOND = 20
const BURST = 5 * PER_SECOND
const FIRST = { place: undefined, lane: 0 }

/** A room that is asked by one after the other, at times that the test sets. */
function aRoom(perSecond = PER_SECOND) {
  let room: Room = EMPTY_ROOM
  return {
    asks(at: number, asked: { place?: Place | undefined; lane?: number } = {}) {
      const answer = ask(room, { ...FIRST, ...asked }, Math.round(at * SECOND), perSecond)
      room = answer.room
      return answer.standing
    },
    state: () => room,
  }
}

type ARoom = ReturnType<typeof aRoom>

function placeAt(room: ARoom, at: number, lane = 0): Place {
  const standing = room.asks(at, { lane })
  if (standing.kind !== 'waiting') throw new Error(`no place: ${standing.kind}`)
  return standing.place
}

/** As if so many had come just now as may come at once. */
function full(): ARoom {
  const room = aRoom()
  for (let n = 0; n < BURST; n++) expect(room.asks(0)).toEqual({ kind: 'in' })
  return room
}

describe('a waiting room', () => {
  it('asks nobody to wait while fewer come than it lets in', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1 / PER_SECOND, max: 3, noNaN: true }), { maxLength: 300 }),
        gaps => {
          const room = aRoom()
          let now = 0
          for (const gap of gaps) {
            now += gap + 1e-5
            expect(room.asks(now)).toEqual({ kind: 'in' })
          }
        },
      ),
    )
  })

  it('gives a place to whoever comes when its turns are taken, and says how long it will be', () => {
    const room = full()
    expect(room.asks(0)).toEqual({
      kind: 'waiting',
      place: { lane: 0, number: BURST },
      ahead: 0,
      waitMs: expect.any(Number),
      isOver: false,
    })
    room.asks(0)
    const third = room.asks(0)
    expect(third).toMatchObject({ ahead: 2, waitMs: expect.closeTo(3_000 / PER_SECOND, -2) })
  })

  it('lets in by place, whoever asks first when the turns come', () => {
    const room = full()
    const [one, two] = [placeAt(room, 0), placeAt(room, 0)]
    expect(room.asks(0.05, { place: two }).kind).toBe('waiting')
    expect(room.asks(0.05, { place: one }).kind).toBe('in')
    expect(room.asks(0.1, { place: two }).kind).toBe('in')
  })

  it('lets nobody who comes anew go before those who wait', () => {
    const room = full()
    const waiting = placeAt(room, 0)
    expect(room.asks(0.05)).toMatchObject({ kind: 'waiting', place: { number: waiting.number + 1 } })
    expect(room.asks(0.06, { place: waiting }).kind).toBe('in')
  })

  it('lets those who have pressed much wait for those who have not', () => {
    const room = full()
    const much = placeAt(room, 0, 3)
    const little = placeAt(room, 0, 0)
    expect(room.asks(0.05, { place: much }).kind).toBe('waiting')
    expect(room.asks(0.06, { place: little }).kind).toBe('in')
    expect(room.asks(0.1, { place: much }).kind).toBe('in')
  })

  it('lets one place in once', () => {
    const room = full()
    const place = placeAt(room, 0)
    expect(room.asks(0.1, { place }).kind).toBe('in')
    for (let n = 0; n < BURST; n++) room.asks(0.1)
    expect(room.asks(0.1, { place })).toMatchObject({ kind: 'waiting', isOver: true })
  })

  it('knows no place that it has not given', () => {
    const room = full()
    placeAt(room, 0)
    for (const place of [
      { lane: 0, number: 999 },
      { lane: 99, number: 0 },
    ])
      expect(room.asks(0, { place })).toMatchObject({ kind: 'waiting', isOver: true })
  })

  it('passes a turn that nobody takes on to the next place after two seconds', () => {
    const room = full()
    placeAt(room, 0)
    const next = placeAt(room, 0)
    const last = placeAt(room, 0)
    room.asks(0.05, { place: last })
    // The first two turns lie with the first two places; the third place has the one that the first did not take.
    expect(room.asks(0.1, { place: next }).kind).toBe('in')
    for (let n = 0; n < 60; n++) placeAt(room, 0.1)
    expect(room.asks(0.15, { place: last }).kind).toBe('in')
    const before = room.state().lanes[0]!.called
    room.asks(2.06)
    // Two seconds bring forty turns, and the one that was not taken.
    expect(room.state().lanes[0]!.called - before).toBe(Math.floor(2.06 * PER_SECOND) - 3 + 1)
  })

  it('gives whoever comes within fifteen seconds the next turn of all, and nobody later', () => {
    for (const [after, kind] of [
      [14, 'in'],
      [16, 'waiting'],
    ] as const) {
      const room = full()
      const place = placeAt(room, 0)
      // Enough that the line is never empty, and nobody of it comes.
      for (let n = 0; n < 2_000; n++) placeAt(room, 0)
      for (let at = 0.05; at < after; at += 0.05) room.asks(at, { lane: LANES - 1 })
      const late = room.asks(after, { place })
      const then =
        late.kind === 'waiting' && !late.isOver ? room.asks(after + 0.05, { place }).kind : late.kind
      expect(then).toBe(kind)
    }
  })

  it('gives nobody a place that comes later than in an hour', () => {
    const room = aRoom(1)
    for (let n = 0; n < 5 + 3_600; n++) expect(room.asks(0).kind).not.toBe('full')
    const before = room.state()
    expect(room.asks(0)).toEqual({ kind: 'full' })
    expect(room.state()).toEqual(before)
  })

  it('lets somebody in at the slowest pace too', () => {
    const room = aRoom(1 / 600)
    expect(room.asks(0).kind).toBe('in')
    const place = placeAt(room, 0)
    expect(room.asks(599, { place }).kind).toBe('waiting')
    expect(room.asks(600, { place }).kind).toBe('in')
  })

  it('is not confused by a clock that is put back, and gives no second burst', () => {
    const room = full()
    const place = placeAt(room, 0)
    expect(room.asks(-3_600, { place }).kind).toBe('waiting')
    expect(room.asks(-3_599.9, { place }).kind).toBe('in')
    expect(room.asks(-3_599.9, { lane: 0 }).kind).toBe('in')
    expect(room.asks(-3_599.9).kind).toBe('waiting')
  })

  it('lets in no more than its turns, each place once, and by their order, whoever leaves', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            gap: fc.double({ min: 0, max: 0.4, noNaN: true }),
            stays: fc.boolean(),
            lane: fc.constantFrom(0, 0, 0, 2),
          }),
          { minLength: 20, maxLength: 400 },
        ),
        visitors => {
          const room = aRoom(2)
          const waiting: Place[] = []
          const admitted: Place[] = []
          let now = 0
          let atOnce = 0
          const poll = () => {
            for (const place of [...waiting]) {
              if (room.asks(now, { place }).kind !== 'in') continue
              waiting.splice(waiting.indexOf(place), 1)
              admitted.push(place)
            }
          }
          for (const { gap, stays, lane } of visitors) {
            now += gap
            const standing = room.asks(now, { lane })
            if (standing.kind === 'in') atOnce++
            else if (standing.kind === 'waiting' && stays) waiting.push(standing.place)
            poll()
          }
          while (waiting.length > 0) {
            now += 0.25
            poll()
          }
          expect(admitted.length + atOnce).toBeLessThanOrEqual(2 * (now + 5) + 1)
          expect(new Set(admitted.map(({ lane, number }) => `${lane} ${number}`)).size).toBe(admitted.length)
          for (const lane of [0, 2]) {
            const numbers = admitted.filter(each => each.lane === lane).map(({ number }) => number)
            expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is asked again after half of the wait', () => {
    expect(askAgainAfter(60_000)).toBe(30_000)
    expect(askAgainAfter(1)).toBe(1)
  })
})
