/** A text of at least so many characters. */
export type Builder = (length: number) => string

const SMALLEST = 256
/** As much as any call of a visitor may bring. */
const LARGEST = 64 * 1024
const STEP = 4
/**
 * What takes less is too short to be compared; a pattern that looks once at each pair of characters takes a second and
 * more for the largest text, so it cannot hide below.
 */
const COMPARABLE_MS = 20
/**
 * The clock of a thread's processor time may go forward by ticks of the kernel. So much more than what was read may have
 * passed: what is shorter than a tick seems to take nothing, and anything is many times that.
 */
const LONGEST_TICK_MS = 5
/** Four times the text may take four times the time, and on a busy machine twice that; the square of it is 16. */
const MOST_GROWTH = 9
const TRIES = 3

/** Where the time grew faster than the text. */
export interface Growth {
  readonly length: number
  /** How much longer four times the text took. */
  readonly factor: number
}

/** What this thread has used of the processor so far, in ms. */
export type ProcessorClock = () => number

const ownThread: ProcessorClock = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Runs `work` with texts from 256 bytes to 64 kB, each four times as long as the one before, and compares the times:
 * of the processor, which other programs do not lengthen, and the shortest of several runs.
 * @returns undefined when the time grows as the text does
 */
export function growthOf(
  work: (text: string) => unknown,
  build: Builder,
  clock = ownThread,
): Growth | undefined {
  const shortest = (text: string) => shortestRun(work, text, clock)
  let before = shortest(build(SMALLEST))
  for (let length = STEP * SMALLEST; length <= LARGEST; length *= STEP) {
    let now = shortest(build(length))
    // What is far beyond is no chance, and would be long in being run again.
    for (let n = 1; n < TRIES && grows(before, now) && !grows(2 * before, now); n++) {
      before = Math.max(before, shortest(build(length / STEP)))
      now = Math.min(now, shortest(build(length)))
    }
    if (grows(before, now)) return { length, factor: now / before }
    before = now
  }
  return undefined
}

const grows = (before: number, now: number): boolean =>
  now > COMPARABLE_MS && now > MOST_GROWTH * (before + LONGEST_TICK_MS)

function shortestRun(work: (text: string) => unknown, text: string, clock: ProcessorClock): number {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n++) {
    const before = clock()
    work(text)
    best = Math.min(best, clock() - before)
    // It will not be compared, or it is long enough to be compared as it is.
    if (best < COMPARABLE_MS / 4 || best > 50 * COMPARABLE_MS) break
  }
  return best
}

/** So many times the same. */
export const repeated =
  (part: string, before = '', after = ''): Builder =>
  length =>
    before + part.repeat(Math.ceil(length / part.length)) + after
