import { HOUR_MS } from '../durations.ts'
import { STEPS } from './line.ts'
import { grantTokens } from './shared-tokens.ts'

/** A place in a line. Lanes come one after the other: nobody of a later one goes before anybody of an earlier one. */
export interface Place {
  readonly lane: number
  /** In the order of arrival, from 0 on. */
  readonly number: number
}

/** A place that was called and has not come in yet. */
export interface Called extends Place {
  /** When it was called, or last heard of since, µs. */
  readonly at: number
  /** `yours`: a turn is kept for it. `moved`: its turn has gone on to another. `back`: it came too late and gets the next. */
  readonly turn: 'yours' | 'moved' | 'back'
}

/** All that a room holds, however many wait in it. */
export interface Room {
  readonly lanes: readonly { readonly given: number; readonly called: number }[]
  readonly called: readonly Called[]
  /** Which share of the turns finds nobody, as the last ones went: 0 to below 1. */
  readonly absent: number
  /** What is known of the turns taken (`grantTokens`), µs. */
  readonly nextAt: number | undefined
}

export interface Asked {
  /** The place that whoever asks holds; undefined for whoever comes for the first time. */
  readonly place: Place | undefined
  /** Where a new place is. */
  readonly lane: number
}

/** What becomes of somebody who asks. */
export type Standing =
  | { readonly kind: 'in' }
  /** Too many wait already: nobody is given a place that comes later than in an hour. */
  | { readonly kind: 'full' }
  | {
      readonly kind: 'waiting'
      readonly place: Place
      /** How many come before. */
      readonly ahead: number
      readonly waitMs: number
      /** The place that was held is over: it was called, and nobody came. */
      readonly isOver: boolean
    }

/** One for each step of what somebody has left of their own limit (`line.ts`), and one for whoever has nothing left. */
export const LANES = STEPS + 1
const US_PER_SECOND = 1_000_000

/** So long a turn is kept for whoever is called; then it goes on to the next, so that none is lost. */
const KEPT_US = 2 * US_PER_SECOND
/** So long whoever is called may still come, and gets the next turn of all. Later their place is over. */
const PASSED_OVER_US = 15 * US_PER_SECOND
/** So many seconds' turns may be taken at once after a quiet time, or be under way to those who are called. */
const BURST_SECONDS = 5
/** As long as earlier prices and terms are taken. */
const LONGEST_WAIT_MS = HOUR_MS
/** How much one turn says of how many come. */
const WEIGHT = 1 / 50
const MOST_ABSENT = 0.9
/** Whoever is next asks again so soon. */
const SOON_MS = 50

export const EMPTY_ROOM: Room = {
  lanes: Array.from({ length: LANES }, () => ({ given: 0, called: 0 })),
  called: [],
  absent: 0,
  nextAt: undefined,
}

/**
 * Lets somebody in, or gives them a place. Turns come evenly, `perSecond` of them, and go to the places in their order; a
 * turn that nobody takes goes on to the next place, so all of them are used. Nobody waits while fewer come.
 * @param now µs, of a clock that all who ask have in common
 * @returns the room as it is then
 */
export function ask(
  room: Room,
  { place: held, lane }: Asked,
  now: number,
  perSecond: number,
): { readonly room: Room; readonly standing: Standing } {
  const before = passOver(room, now)
  const isHeld = held !== undefined && holds(before.room, held)
  const place = isHeld ? held : { lane, number: before.room.lanes[lane]?.given ?? 0 }
  const asking = isHeld ? heardOf(before.room, place, now) : withOneMore(before.room, lane)
  const next = giveTurns(asking, before.free, now, perSecond)
  if (calledAs(next, place)?.turn === 'yours') return { room: letIn(next, place), standing: { kind: 'in' } }

  const ahead = countAhead(next, place)
  const waitMs = Math.max(SOON_MS, Math.ceil(((ahead + 1) * (1 - next.absent) * 1_000) / perSecond))
  if (!isHeld && waitMs > LONGEST_WAIT_MS)
    return { room: giveTurns(before.room, before.free, now, perSecond), standing: { kind: 'full' } }
  const isOver = held !== undefined && !isHeld
  return { room: next, standing: { kind: 'waiting', place, ahead, waitMs, isOver } }
}

/**
 * When whoever waits is to ask again: after half of their wait, so that a line that moves faster than was thought leaves
 * nobody behind, and a long line costs few questions.
 */
export const askAgainAfter = (waitMs: number): number => Math.ceil(waitMs / 2)

const isSame = (one: Place, other: Place): boolean => one.lane === other.lane && one.number === other.number

const calledAs = ({ called }: Room, place: Place): Called | undefined =>
  called.find(each => isSame(each, place))

/** Was this place given, and is it not over? */
function holds(room: Room, place: Place): boolean {
  const lane = room.lanes[place.lane]
  if (lane === undefined || place.number >= lane.given) return false
  return place.number >= lane.called || calledAs(room, place) !== undefined
}

const withOneMore = (room: Room, lane: number): Room => ({
  ...room,
  lanes: room.lanes.map((each, n) => (n === lane ? { ...each, given: each.given + 1 } : each)),
})

/** Whoever was called and comes late waits for the next turn, and is here. */
function heardOf(room: Room, place: Place, now: number): Room {
  const called = room.called.map(each =>
    isSame(each, place) && each.turn !== 'yours' ? { ...each, at: now, turn: 'back' as const } : each,
  )
  return { ...room, called }
}

const letIn = (room: Room, place: Place): Room => ({
  ...room,
  called: room.called.filter(each => !isSame(each, place)),
  absent: room.absent * (1 - WEIGHT),
})

/** Takes turns from those who did not come for theirs, and forgets who was away for too long. */
function passOver(room: Room, now: number): { readonly room: Room; readonly free: number } {
  // After a clock was put back nothing lies ahead of it.
  const heard = room.called.map(each => ({ ...each, at: Math.min(each.at, now) }))
  const isUnused = ({ turn, at }: Called) => turn === 'yours' && at <= now - KEPT_US
  const free = heard.filter(isUnused).length
  const absent = 1 - (1 - room.absent) * (1 - WEIGHT) ** free
  return {
    room: {
      ...room,
      called: heard
        .map(each => (isUnused(each) ? { ...each, turn: 'moved' as const } : each))
        .filter(({ at }) => at > now - PASSED_OVER_US),
      absent: Math.min(MOST_ABSENT, absent),
    },
    free,
  }
}

/** Gives the free turns, and those that have come since, to the places whose turn it is. */
function giveTurns(room: Room, free: number, now: number, perSecond: number): Room {
  const most = Math.max(1, BURST_SECONDS * perSecond)
  const back = room.called.filter(({ turn }) => turn === 'back').sort(byPlace)
  const underWay = room.called.filter(({ turn }) => turn === 'yours').length
  const wanted = Math.max(0, Math.min(back.length + inLine(room.lanes), Math.floor(most) - underWay))
  const stepUs = Math.ceil(US_PER_SECOND / perSecond)
  const burstUs = Math.max(stepUs, BURST_SECONDS * US_PER_SECOND)
  const { granted, nextAt } = grantTokens(room.nextAt, now, Math.max(0, wanted - free), { stepUs, burstUs })
  const turns = Math.min(wanted, free + granted)
  const first = back.slice(0, turns)
  const others = room.called.filter(each => !first.includes(each))
  const fromLine = callFrom(room.lanes, turns - first.length)
  const called = [...first, ...fromLine.places].map(({ lane, number }) => ({
    lane,
    number,
    at: now,
    turn: 'yours' as const,
  }))
  return { ...room, lanes: fromLine.lanes, called: [...others, ...called], nextAt }
}

const byPlace = (one: Place, other: Place): number => one.lane - other.lane || one.number - other.number

const inLine = (lanes: Room['lanes']): number =>
  lanes.reduce((sum, { given, called }) => sum + given - called, 0)

function callFrom(
  lanes: Room['lanes'],
  count: number,
): { readonly lanes: Room['lanes']; readonly places: Place[] } {
  const places: Place[] = []
  const after = lanes.map(({ given, called }, lane) => {
    const next = Math.min(given, called + count - places.length)
    for (let number = called; number < next; number++) places.push({ lane, number })
    return { given, called: next }
  })
  return { lanes: after, places }
}

/** Those who came late go first, then lane by lane. */
function countAhead(room: Room, place: Place): number {
  const back = room.called.filter(({ turn }) => turn === 'back')
  if (back.some(each => isSame(each, place))) return back.filter(each => byPlace(each, place) < 0).length
  const earlier = inLine(room.lanes.slice(0, place.lane))
  return back.length + earlier + place.number - (room.lanes[place.lane]?.called ?? 0)
}
