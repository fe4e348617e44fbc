/** Numbers from 0 to 1 that look like chance and are the same on every run. */
export type Chance = () => number

/** @param seed any whole number; each gives another row */
export function chance(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A number between two others. */
export const between = (random: Chance, low: number, high: number): number => low + random() * (high - low)
