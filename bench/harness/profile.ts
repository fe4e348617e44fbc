/** How much is measured: a quick look, the usual run, or as much as the goals name. */
export interface Profile {
  /** Loads of each screen in each stack. */
  readonly paintLoads: number
  /** How many of the screens have their paint timed, the most telling ones first. */
  readonly paintScreens: number
  /** How many of these are also built in other stacks. */
  readonly peerScreens: number
  readonly stories: number
  /** Pages that Lighthouse looks at, the most telling ones first; Infinity: every route in every language. */
  readonly lighthousePages: number
  /** Only those of them whose address ends like one of these; all when missing. */
  readonly lighthouseOf?: readonly string[]
  readonly serverRounds: number
  /** Of load on each address in each round. */
  readonly serverSeconds: number
  /** Requests to each endpoint, for each number of callers. */
  readonly endpointRequests: number
  /** Behind the card page and the card endpoint. */
  readonly cards: number
  /** The databases that redemptions are compared on; the first is what the others are held against. */
  readonly redemptionSizes: readonly number[]
  /** Redemptions one after the other, in each database. */
  readonly redemptions: number
  /** Cards due for the auto-donation at once. */
  readonly dueSizes: readonly number[]
  /** Organisations on the list whose publish is timed. */
  readonly ngoSizes: readonly number[]
  readonly publishes: number
  /** Requests after which the server's memory is read. */
  readonly memoryRequests: number
  readonly soakSeconds: number
  /** Of load while the servers behind nginx are restarted one after the other. */
  readonly restarts: number
  /** For so long many more buyers come than may come in. */
  readonly crowdSeconds: number
  /** For so long more visitors come than one process carries. */
  readonly overloadSeconds: number
  /** Faults of the database's primary, one after the other. */
  readonly failovers: number
  /** Cards bought and used to weigh one. */
  readonly costCards: number
  /** Behind the check of the books and the restore drill. */
  readonly operationCards: number
}

const FULL: Profile = {
  paintLoads: 9,
  paintScreens: 8,
  peerScreens: 3,
  stories: 4,
  lighthousePages: 40,
  serverRounds: 5,
  serverSeconds: 2,
  endpointRequests: 600,
  cards: 100_000,
  redemptionSizes: [1_000, 10_000, 100_000],
  redemptions: 1_000,
  dueSizes: [100, 1_000, 10_000],
  ngoSizes: [10, 100, 1_000],
  publishes: 5,
  memoryRequests: 1_000_000,
  soakSeconds: 300,
  restarts: 3,
  crowdSeconds: 305,
  overloadSeconds: 60,
  failovers: 20,
  costCards: 300,
  operationCards: 1_000_000,
}

export const PROFILES = {
  quick: {
    ...FULL,
    paintLoads: 5,
    paintScreens: 4,
    peerScreens: 2,
    stories: 2,
    lighthousePages: 6,
    serverRounds: 3,
    serverSeconds: 1,
    endpointRequests: 200,
    redemptions: 200,
    dueSizes: [100, 1_000],
    ngoSizes: [10, 1_000],
    publishes: 3,
    memoryRequests: 100_000,
    soakSeconds: 60,
    restarts: 1,
    crowdSeconds: 35,
    overloadSeconds: 10,
    failovers: 3,
    costCards: 100,
    operationCards: 50_000,
  },
  full: FULL,
  long: {
    ...FULL,
    paintLoads: 15,
    paintScreens: 99,
    stories: 10,
    lighthousePages: Number.POSITIVE_INFINITY,
    serverRounds: 9,
    cards: 1_000_000,
    redemptionSizes: [1_000, 10_000, 100_000, 1_000_000],
    redemptions: 5_000,
    soakSeconds: 7_200,
    restarts: 10,
  },
} as const satisfies Record<string, Profile>

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 }

/** `90s`, `5m`, `2h`. @throws RangeError at anything else */
export function secondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  if (count === undefined) throw new RangeError(`${text} is no time: 90s, 5m or 2h`)
  return Number(count) * UNITS[unit]!
}
