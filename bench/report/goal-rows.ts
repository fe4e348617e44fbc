import type { Figure } from './threshold.ts'

/** A goal of speed as the product promises it, and which figures tell whether it is reached. */
export interface GoalRow {
  readonly goal: string
  /** What `npm run bench --` is to be told. */
  readonly part: string
  readonly of: (figure: Figure) => boolean
}

const called =
  (pattern: RegExp) =>
  ({ what }: Figure): boolean =>
    pattern.test(what)
const atMost =
  (limit: number, pattern: RegExp) =>
  ({ what, goal }: Figure): boolean =>
    goal?.atMost === limit && pattern.test(what)

export const GOAL_ROWS: readonly GoalRow[] = [
  { goal: 'text screens: ≤ 15 kB until loaded', part: 'screens', of: atMost(15, / · all$/) },
  { goal: 'text screens: ≤ 5 requests', part: 'screens', of: atMost(5, / · requests$/) },
  { goal: 'screens with an island: ≤ 90 kB', part: 'screens', of: atMost(90, / · all$/) },
  { goal: 'screens with an island: ≤ 75 kB of script', part: 'screens', of: called(/ · script$/) },
  { goal: 'screens with an island: ≤ 9 requests', part: 'screens', of: atMost(9, / · requests$/) },
  { goal: 'no web font on the critical path', part: 'screens', of: called(/^fonts/) },
  { goal: 'no third party', part: 'screens', of: called(/^requests to others/) },
  { goal: 'layout shift ≤ 0.01, every screen', part: 'screens', of: called(/ · layout shift$/) },
  {
    goal: 'text: first and largest paint ≤ 1.25 × the bare page of the same content',
    part: 'paint',
    of: atMost(1.25, /bare/),
  },
  {
    goal: 'island: first and largest paint ≤ 1.4 × the bare page of the same content',
    part: 'paint',
    of: atMost(1.4, /bare/),
  },
  { goal: 'first and largest paint ≤ 0.5 × the single-page app', part: 'paint', of: atMost(0.5, /paint/) },
  { goal: 'total blocking time ≤ 50 ms at 4×', part: 'paint', of: called(/ · blocked$/) },
  { goal: 'interaction p98 ≤ 100 ms at 4×', part: 'paint', of: called(/ · tap to next paint/) },
  { goal: 'tap (gate open) → next screen painted ≤ 100 ms p95, slow 4G', part: 'taps', of: called(/^tap/) },
  { goal: 'link opened → given: ≤ 12 interactions', part: 'journey', of: called(/interactions$/) },
  { goal: 'link opened → given: ≤ 12 s with Skip', part: 'journey', of: called(/time$/) },
  {
    goal: 'Lighthouse 13, mobile, every route × language: 100 in all four categories',
    part: 'lighthouse',
    of: called(/below 100/),
  },
  { goal: 'Lighthouse: no run below 98', part: 'lighthouse', of: called(/worst run/) },
  {
    goal: 'published page ≤ 2.0 × nginx in processor time',
    part: 'server',
    of: called(/^published page/),
  },
  {
    goal: 'endpoint with one look-up at 1 M cards ≤ 18 × nginx',
    part: 'server',
    of: called(/^card endpoint/),
  },
  { goal: 'card page ≤ 25 × nginx', part: 'server', of: called(/^card page/) },
  { goal: 'redemption, 1e6 cards against 1e3: p50 ≤ 2 ×', part: 'redemptions', of: called(/p50/) },
  { goal: 'redemption, 1e6 cards against 1e3: p99 ≤ 5 ×', part: 'redemptions', of: called(/p99/) },
  {
    goal: 'publish → visible to the next visitor ≤ 2 s, no rebuild',
    part: 'publish',
    of: called(/languages$/),
  },
  {
    goal: 'two servers: published pages in step, ≤ 2 s',
    part: 'scale-out',
    of: called(/^publish to/),
  },
  {
    goal: 'two servers: a rolling restart under load, no failed request',
    part: 'scale-out',
    of: called(/^requests that failed$/),
  },
  {
    goal: 'two servers: every job and mail once, the books in order',
    part: 'scale-out',
    of: called(/twice|exactly once|books/),
  },
  { goal: 'memory after 1 M requests ≤ 200 MB', part: 'soak', of: called(/^memory after/) },
  { goal: 'memory in a soak: ≤ 200 MB', part: 'soak', of: called(/^memory at the end/) },
  { goal: 'memory in a soak: ≤ 1 MB/h growth (`--soak=2h`)', part: 'soak', of: called(/^growth/) },
  { goal: 'no handle left open, the books in order after a soak', part: 'soak', of: called(/handles|books/) },
]
