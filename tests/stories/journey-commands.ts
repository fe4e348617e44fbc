import fc from 'fast-check'
import { CARD } from '../support/payments-fixture.ts'

/** What somebody does: a buyer, a recipient, the provider, the operator, or time. Orders are counted round. */
export type Command =
  | { readonly does: 'start'; readonly purchase: 0 | 1 | 2 }
  | { readonly does: 'pay'; readonly order: number; readonly card: keyof typeof CARD }
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'refund'; readonly order: number; readonly part: 'all' | 'a little' }
  | { readonly does: 'decide'; readonly order: number; readonly isWon: boolean }
  | {
      readonly does: 'hear'
      readonly which: readonly boolean[]
      readonly isRepeatedLater: boolean
      readonly server: 0 | 1
    }
  | { readonly does: 'hear-all' }
  | { readonly does: 'reconcile'; readonly server: 0 | 1 }
  | { readonly does: 'visit-success' | 'look' | 'give-again'; readonly order: number; readonly server: 0 | 1 }
  | {
      readonly does: 'give'
      readonly order: number
      readonly points: readonly [number, number]
      readonly server: 0 | 1
    }
  | { readonly does: 'give-with-public-key'; readonly order: number; readonly server: 0 | 1 }
  | { readonly does: 'give-at-once'; readonly order: number }
  | { readonly does: 'let-a-year-pass'; readonly server: 0 | 1 }

const order = fc.nat({ max: 2 })
const server = fc.constantFrom(0, 1)
const aCard = fc.constantFrom(...(Object.keys(CARD) as (keyof typeof CARD)[]))
const does = <const D extends string>(name: D) => fc.constant(name)

const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: does('start'), purchase: fc.constantFrom(0, 1, 2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: does('pay'),
      order,
      card: aCard,
    }),
  },
  // A breath, the time of the provider's slow things, and the end of a session.
  {
    weight: 3,
    arbitrary: fc.record({ does: does('wait'), ms: fc.constantFrom(1_000, 20_000, 24 * 3_600_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: does('refund'), order, part: fc.constantFrom('all', 'a little') }),
  },
  { weight: 3, arbitrary: fc.record({ does: does('decide'), order, isWon: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: does('hear'),
      which: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
      isRepeatedLater: fc.boolean(),
      server,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: does('hear-all') }) },
  { weight: 1, arbitrary: fc.record({ does: does('reconcile'), server }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom('visit-success', 'look', 'give-again', 'give-with-public-key'),
      order,
      server,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: does('give'),
      order,
      points: fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 2 })),
      server,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('give-at-once'), order }) },
  { weight: 1, arbitrary: fc.record({ does: does('let-a-year-pass'), server }) },
)

/** A journey begins with a purchase, since nothing can happen before one. */
export const aJourney: fc.Arbitrary<readonly Command[]> = fc
  .tuple(fc.constantFrom(0, 1, 2), aCard, fc.array(aCommand, { minLength: 4, maxLength: 24 }))
  .map(([purchase, card, commands]) => [
    { does: 'start', purchase } as const,
    { does: 'pay', order: 0, card } as const,
    ...commands,
  ])
