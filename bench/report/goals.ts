import type { Goal } from './threshold.ts'

/** A row of the quality table: what is promised, and which part of the benchmark measures it. */
export interface GoalRow {
  /** The promise, as the table of goals says it. */
  readonly says: string
  /** What `npm run bench --` is to be told. */
  readonly part: string
  /** Of the ratio where the figure has a reference, else of the measured value. */
  readonly atMost: number
  /** Noise allowed above it, as a share of it, before the run fails. 0 for what is counted. */
  readonly tolerance: number
  /** Only a run that lasts long enough can tell: `--soak=2h`. */
  readonly onlyInLongSoak?: true
}

/** What is counted must fit exactly. */
const counted = (part: string, atMost: number, says: string): GoalRow => ({
  part,
  atMost,
  says,
  tolerance: 0,
})
/** What is timed on a shared machine may vary this much before a run fails. */
const timed = (part: string, atMost: number, says: string, tolerance = 0.15): GoalRow => ({
  part,
  atMost,
  says,
  tolerance,
})

/** The promises of speed by their id, in the order of the table. Each needs a figure that carries it. */
export const GOALS = {
  'text-bytes': counted('screens', 10, 'text screens: ≤ 10 kB until loaded'),
  'form-bytes': counted('screens', 12, 'text screens with a form: ≤ 12 kB until loaded'),
  'picture-bytes': counted('screens', 60, 'a photograph of the content, at a phone’s width: ≤ 60 kB'),
  'text-requests': counted('screens', 5, 'text screens: ≤ 5 requests'),
  'island-bytes': counted('screens', 80, 'screens with an island: ≤ 80 kB'),
  'island-script': counted('screens', 68, 'screens with an island: ≤ 68 kB of script'),
  'island-requests': counted('screens', 8, 'screens with an island: ≤ 8 requests'),
  'early-fonts': counted('screens', 0, 'no web font on the critical path'),
  'third-parties': counted('screens', 0, 'no third party'),
  'screen-shift': counted('screens', 0.01, 'layout shift ≤ 0.01, every screen'),
  'text-paint': timed(
    'paint',
    1.15,
    'text: first and largest paint ≤ 1.15 × the bare page of the same content',
  ),
  'island-paint': timed(
    'paint',
    1.2,
    'island: first and largest paint ≤ 1.2 × the bare page of the same content',
  ),
  'single-page-paint': timed('paint', 0.5, 'first and largest paint ≤ 0.5 × the single-page app'),
  'blocking-time': timed('paint', 50, 'total blocking time ≤ 50 ms at 4×', 0.3),
  'paint-shift': counted('paint', 0.01, 'layout shift ≤ 0.01 on a slow phone'),
  interaction: timed('paint', 100, 'interaction p98 ≤ 100 ms at 4×', 0.3),
  'tap-to-next-screen': timed(
    'taps',
    100,
    'tap (gate open) → next screen painted ≤ 100 ms p95, slow 4G',
    0.3,
  ),
  'journey-interactions': counted('journey', 12, 'link opened → given: ≤ 12 interactions'),
  'journey-shortest': counted(
    'journey',
    10,
    'link opened → given by the first screen’s way to the gift: ≤ 10 interactions',
  ),
  'purchase-interactions': counted(
    'journey',
    16,
    'first page → payment page, the long way: ≤ 16 interactions, the consent that the law asks for among them',
  ),
  'journey-time': timed('journey', 12, 'link opened → given: ≤ 12 s with Skip'),
  'journey-tap': timed('journey', 100, 'tap on an organisation → its point ≤ 100 ms p98', 0.3),
  'lighthouse-pages': counted(
    'lighthouse',
    0,
    'Lighthouse 13, mobile, every route × language: 100 in all four categories',
  ),
  'lighthouse-worst': counted('lighthouse', 2, 'Lighthouse: no run below 98'),
  'published-page': timed('server', 1.65, 'published page ≤ 1.65 × nginx in processor time'),
  'card-endpoint': timed('server', 8, 'endpoint with one look-up at 1 M cards ≤ 8 × nginx'),
  'card-page': timed('server', 10, 'card page ≤ 10 × nginx'),
  'redemption-p50': timed('redemptions', 1.3, 'redemption, 1e6 cards against 1e3: p50 ≤ 1.3 ×'),
  'redemption-p99': timed('redemptions', 2, 'redemption, 1e6 cards against 1e3: p99 ≤ 2 ×', 0.3),
  publish: timed('publish', 500, 'publish → visible to the next visitor ≤ 0.5 s, no rebuild'),
  'publish-many': timed('publish', 1_000, 'publish → visible with 1,000 organisations ≤ 1 s, no rebuild'),
  'publish-to-all': timed('scale-out', 2_000, 'two servers: published pages in step, ≤ 2 s'),
  'rolling-restart': counted('scale-out', 0, 'two servers: a rolling restart under load, no failed request'),
  'exactly-once': counted('scale-out', 0, 'two servers: every job and mail once, the books in order'),
  'crowd-rate': counted('crowd', 1, '200 buyers a second at 20 admitted: 20 ± 1 a second'),
  'crowd-order': timed('crowd', 2, 'the same: in their order, within 2 s', 0),
  'crowd-refused': counted('crowd', 0, 'the same: nobody refused, each once'),
  'overload-wait': timed(
    'overload',
    1_000,
    '2,000 visitors at once at one process: who is served waits ≤ 1 s (p99)',
  ),
  'overload-others': counted('overload', 0, 'the same: everybody else is told when to come again'),
  'overload-back': timed('overload', 5, 'the same: all as before ≤ 5 s after it'),
  'overload-memory': timed('overload', 1.2, 'the same: memory back within 20 %'),
  'overload-books': counted('overload', 0, 'the same: no gift lost, the books in order'),
  'failover-kept': counted(
    'failover',
    0,
    'a cluster whose primary is killed, paused or cut off under load, 20 times: nothing that was told lost, doubled or wrong',
  ),
  'failover-time': timed('failover', 30, 'the same: sales go on ≤ 30 s after the fault', 0),
  'failover-return': counted('failover', 0, 'the same: the old primary is back as a copy each time'),
  'etcd-one': counted('failover', 0, 'one of three etcds lost: nobody notices'),
  'etcd-two': counted('failover', 0, 'two of three lost: 503 with a way out, and all goes on with them'),
  'memory-after-requests': timed('soak', 180, 'memory after 1 M requests ≤ 180 MB', 0),
  'memory-in-soak': timed('soak', 180, 'memory in a soak: ≤ 180 MB', 0),
  'memory-growth': {
    ...timed('soak', 1, 'memory in a soak: ≤ 1 MB/h growth (`--soak=2h`)', 0),
    onlyInLongSoak: true,
  },
  'open-handles': counted('soak', 5, 'at most 5 handles more at the end of a soak than at its start'),
  'soak-books': counted('soak', 0, 'the books in order after a soak'),
  'donation-time': timed('operations', 60, '10,000 auto-donations due at once: all given within 60 s'),
  'donation-page': timed('operations', 2, 'a card’s page meanwhile: p99 ≤ 2 × idle', 0.3),
  'backup-time': timed('operations', 1, 'backup of 100 MB under writes, checked: ≤ 1 s', 0.3),
  'backup-writer': timed('operations', 100, 'longest wait of a writer meanwhile: ≤ 100 ms', 0.3),
  'books-check': timed('operations', 30, 'check of the books, 1 M cards: ≤ 30 s'),
  'restore-drill': timed('operations', 600, 'restore drill, 1 M cards, checked: ≤ 600 s'),
  'hold-up': timed('operations', 50, 'longest time in which the site answers nobody ≤ 50 ms', 0.3),
} as const satisfies Record<string, GoalRow>

export type GoalId = keyof typeof GOALS

export const GOAL_IDS = Object.keys(GOALS) as readonly GoalId[]

/** The goal of this id, for a figure to carry. */
export function goalOf(id: GoalId): Goal {
  const { atMost, tolerance } = GOALS[id]
  return { id, atMost, tolerance }
}

/**
 * The goals of the parts that were measured for which no figure was.
 * @param isLongSoak whether this run could tell what only a long soak shows
 */
export function goalsWithoutFigure(
  parts: Readonly<Record<string, { readonly figures: readonly { readonly goal?: Goal }[] }>>,
  isLongSoak: boolean,
): readonly GoalId[] {
  return GOAL_IDS.filter(id => {
    const row: GoalRow = GOALS[id]
    const figures = parts[row.part]?.figures
    if (figures === undefined || (row.onlyInLongSoak && !isLongSoak)) return false
    return !figures.some(({ goal }) => goal?.id === id)
  })
}
