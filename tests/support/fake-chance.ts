/** Numbers in [0, 1) that look random and are the same for the same seed (mulberry32). */
export function fakeChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Gives these numbers one after the other, and begins again. */
export function chanceOf(...numbers: readonly [number, ...number[]]): () => number {
  let n = 0
  return () => numbers[n++ % numbers.length] ?? numbers[0]
}
