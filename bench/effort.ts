/** How much is measured: a quick look, the usual run, or with as many cards as the goals name. */
export interface Effort {
  /** Loads of each screen, and of its bare page. */
  readonly paintLoads: number
  /** How many of the screens have their paint timed, the most telling ones first. */
  readonly paintScreens: number
  readonly stories: number
  readonly serverRounds: number
  /** Of load on each address in each round. */
  readonly serverSeconds: number
  /** In the database that redemptions are compared on, and behind the card endpoint. */
  readonly cards: number
  /** Redemptions one after the other, in each database. */
  readonly redemptions: number
}

export const FEW_CARDS = 1_000

const FULL: Effort = {
  paintLoads: 5,
  paintScreens: 8,
  stories: 4,
  serverRounds: 5,
  serverSeconds: 2,
  cards: 100_000,
  redemptions: 1_000,
}

export const EFFORTS = {
  quick: {
    ...FULL,
    paintLoads: 3,
    paintScreens: 4,
    stories: 2,
    serverRounds: 3,
    serverSeconds: 1,
    redemptions: 200,
  },
  full: FULL,
  long: {
    ...FULL,
    paintLoads: 9,
    paintScreens: 99,
    stories: 10,
    serverRounds: 9,
    cards: 1_000_000,
    redemptions: 5_000,
  },
} as const satisfies Record<string, Effort>
