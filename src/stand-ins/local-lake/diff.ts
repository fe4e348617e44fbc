import { isDeepStrictEqual } from 'node:util'
import { applyPatch } from 'mendoza'
import type { Effect } from './model.ts'

/** The opcodes of the format that this differ writes; `Pop` in a name leaves the field or element it entered. */
const OP = {
  value: 0,
  pushFieldCopy: 10,
  pushFieldBlank: 11,
  pushElementCopy: 12,
  pushElementBlank: 13,
  returnIntoObjectSameKeyPop: 15,
  returnIntoArrayPop: 16,
  setField: 17,
  deleteField: 19,
  appendValue: 20,
  appendSlice: 21,
  appendString: 22,
  appendStringSlice: 23,
} as const

type Plain = Readonly<Record<string, unknown>>

/** Common beginnings and ends shorter than this are cheaper written anew. */
const WORTH_SLICING_BYTES = 12

/**
 * What turns `before` into `after`, for consumers of the hosted API's effects: fields are named by their place in
 * sorted order, strings are cut at bytes of UTF-8. Both must be what JSON gives back: a field that is there
 * but undefined would shift the places of all others. Applied once here; where that fails, the whole is written.
 */
export function diff(before: Plain | null, after: Plain | null): Effect {
  const whole = [OP.value, after]
  if (before === null || after === null) return whole
  const patch: unknown[] = []
  diffObject(before, after, patch)
  return isDeepStrictEqual(applyPatch(before, patch), after) ? patch : whole
}

function diffObject(before: Plain, after: Plain, patch: unknown[]): void {
  const places = Object.keys(before).sort()
  for (const [place, key] of places.entries()) {
    if (!Object.hasOwn(after, key)) patch.push(OP.deleteField, place)
    else if (!isDeepStrictEqual(before[key], after[key])) {
      const inner = diffValue(before[key], after[key])
      if (inner === undefined) patch.push(OP.setField, after[key], key)
      else {
        const enter = inner.copy ? OP.pushFieldCopy : OP.pushFieldBlank
        patch.push(enter, place, ...inner.patch, OP.returnIntoObjectSameKeyPop)
      }
    }
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) patch.push(OP.setField, after[key], key)
  }
}

/** A difference within one value: made on a copy of it, or appended to nothing. */
interface Inner {
  readonly copy: boolean
  readonly patch: readonly unknown[]
}

/** The difference within a value, or undefined where writing it anew is the only or the shorter way. */
function diffValue(before: unknown, after: unknown): Inner | undefined {
  if (typeof before === 'string' && typeof after === 'string') return diffString(before, after)
  if (Array.isArray(before) && Array.isArray(after)) return diffArray(before, after)
  if (!isPlain(before) || !isPlain(after)) return undefined
  const patch: unknown[] = []
  diffObject(before, after, patch)
  return { copy: true, patch }
}

function diffArray(before: readonly unknown[], after: readonly unknown[]): Inner | undefined {
  // Nothing appended to nothing is null, not an empty list.
  if (after.length === 0) return undefined
  const placeOf = placesByKey(before)
  const patch: unknown[] = []
  let slice: [from: number, to: number] | undefined
  const endSlice = () => {
    if (slice) patch.push(OP.appendSlice, ...slice)
    slice = undefined
  }
  for (const [index, element] of after.entries()) {
    const place = placeOf(element, index)
    if (place !== undefined && isDeepStrictEqual(before[place], element)) {
      if (slice?.[1] !== place) endSlice()
      slice = [slice?.[0] ?? place, place + 1]
      continue
    }
    endSlice()
    const inner = place === undefined ? undefined : diffValue(before[place], element)
    if (inner === undefined) patch.push(OP.appendValue, element)
    else {
      const enter = inner.copy ? OP.pushElementCopy : OP.pushElementBlank
      patch.push(enter, place, ...inner.patch, OP.returnIntoArrayPop)
    }
  }
  endSlice()
  return { copy: false, patch }
}

/** Finds an element's old place by its `_key`; one without a key is looked for where it is now. */
function placesByKey(before: readonly unknown[]): (element: unknown, index: number) => number | undefined {
  const places = new Map<unknown, number>()
  for (const [place, element] of before.entries()) {
    if (isPlain(element) && typeof element._key === 'string') places.set(element._key, place)
  }
  return (element, index) => {
    if (isPlain(element) && typeof element._key === 'string') return places.get(element._key)
    return index < before.length ? index : undefined
  }
}

function diffString(before: string, after: string): Inner | undefined {
  const [from, to] = [Array.from(before), Array.from(after)]
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head++
  let tail = 0
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++
  const bytes = (characters: readonly string[]) => Buffer.byteLength(characters.join(''))
  const [headBytes, tailBytes] = [bytes(from.slice(0, head)), bytes(from.slice(from.length - tail))]
  if (headBytes + tailBytes < WORTH_SLICING_BYTES) return undefined
  const total = Buffer.byteLength(before)
  const middle = to.slice(head, to.length - tail).join('')
  const patch: unknown[] = []
  if (headBytes > 0) patch.push(OP.appendStringSlice, 0, headBytes)
  if (middle !== '') patch.push(OP.appendString, middle)
  if (tailBytes > 0) patch.push(OP.appendStringSlice, total - tailBytes, total)
  return { copy: false, patch }
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
