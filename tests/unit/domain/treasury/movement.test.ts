import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { borneBySupport, type OrderMovement } from '#domain/treasury/bearing.ts'
import {
  entriesOfMovement,
  MOVEMENT_KINDS,
  type Movement,
  movementKindOf,
} from '#domain/treasury/movement.ts'
import { count } from '#tests/support/counts.ts'

const RUNS = { numRuns: count({ usual: 1_000, long: 100_000 }) }

const charge: Movement = {
  kind: 'charge',
  isOfOrder: true,
  currency: 'EUR',
  amount: 6_500,
  fee: 123,
  charged: money(6_500, 'EUR'),
  borne: 123,
}
const booked = (movement: Movement) =>
  entriesOfMovement(movement).map(([account, { amount, currency }]) => [account, amount, currency])

describe('a movement', () => {
  it.each<[string, Partial<Movement>, unknown[]]>([
    [
      'a payment whose support bears its fee',
      {},
      [
        ['payments', 123, 'EUR'],
        ['fees', -123, 'EUR'],
      ],
    ],
    [
      'a payment whose support bears a part of it',
      { borne: 100 },
      [
        ['payments', 123, 'EUR'],
        ['fees', -100, 'EUR'],
        ['operator', -23, 'EUR'],
      ],
    ],
    [
      'a refund, whose fee stays',
      { kind: 'refund', amount: -500, fee: 0, charged: money(-500, 'EUR'), borne: 0 },
      [],
    ],
    [
      'a refund that leaves no support',
      { kind: 'refund', amount: -6_500, fee: 0, charged: money(-6_500, 'EUR'), borne: -123 },
      [
        ['fees', 123, 'EUR'],
        ['operator', -123, 'EUR'],
      ],
    ],
    [
      'a converted payment',
      { charged: money(7_000, 'USD') },
      [
        ['payments', 7_000, 'USD'],
        ['exchange', -7_000, 'USD'],
        ['payments', -6_377, 'EUR'],
        ['exchange', 6_500, 'EUR'],
        ['fees', -123, 'EUR'],
      ],
    ],
    [
      'a payout',
      { kind: 'payout', isOfOrder: false, amount: -900, fee: 0, charged: money(-900, 'EUR'), borne: 0 },
      [
        ['payments', 900, 'EUR'],
        ['bank', -900, 'EUR'],
      ],
    ],
    [
      'a payout that came back',
      { kind: 'payout-failure', isOfOrder: false, amount: 900, fee: 0, charged: money(900, 'EUR'), borne: 0 },
      [
        ['payments', -900, 'EUR'],
        ['bank', 900, 'EUR'],
      ],
    ],
    [
      'a fee of no payment',
      { kind: 'fee', isOfOrder: false, amount: -40, fee: 0, charged: money(-40, 'EUR'), borne: 0 },
      [
        ['payments', 40, 'EUR'],
        ['operator', -40, 'EUR'],
      ],
    ],
    [
      'a payment of something else',
      { isOfOrder: false, borne: 0 },
      [
        ['payments', -6_377, 'EUR'],
        ['operator', 6_377, 'EUR'],
      ],
    ],
  ])('that is %s is booked so', (_, changes, entries) => {
    expect(booked({ ...charge, ...changes })).toEqual(entries)
  })

  it('sums to zero in each currency, and touches no organisation and no card', () => {
    const amounts = fc.integer({ min: -1_000_000, max: 1_000_000 })
    const movements = fc.record({
      kind: fc.constantFrom(...MOVEMENT_KINDS),
      isOfOrder: fc.boolean(),
      currency: fc.constantFrom(...CURRENCIES),
      amount: amounts,
      fee: amounts,
      charged: fc.tuple(amounts, fc.constantFrom(...CURRENCIES)).map(([amount, each]) => money(amount, each)),
      borne: amounts,
    })
    fc.assert(
      fc.property(movements, movement => {
        const sums = new Map<string, number>()
        for (const [account, { amount, currency }] of entriesOfMovement(movement)) {
          expect(['payments', 'fees', 'bank', 'operator', 'exchange']).toContain(account)
          sums.set(currency, (sums.get(currency) ?? 0) + amount)
        }
        for (const sum of sums.values()) expect(sum).toBe(0)
      }),
      RUNS,
    )
  })

  it('is of a kind, whatever the provider calls it', () => {
    expect(movementKindOf('dispute_reversal')).toBe('dispute-reversal')
    expect(movementKindOf('payout_reversal')).toBe('payout-failure')
    expect(movementKindOf('something new')).toBe('other')
  })
})

describe('the fees of an order', () => {
  const paid: OrderMovement = { kind: 'charge', currency: 'EUR', amount: 6_500, fee: 123, charged: 6_500 }
  const refund = (amount: number): OrderMovement => ({
    kind: 'refund',
    currency: 'EUR',
    amount: -amount,
    fee: 0,
    charged: -amount,
  })
  const disputed: OrderMovement = {
    kind: 'dispute',
    currency: 'EUR',
    amount: -6_500,
    fee: 2_000,
    charged: -6_500,
  }

  it.each<[string, OrderMovement[], number, number]>([
    ['are borne by the support', [paid], 1_185, 123],
    ['are borne by it as far as it goes', [paid], 100, 100],
    ['are the operator’s where there is none', [paid], 0, 0],
    ['stay with it after a refund of a part', [paid, refund(500)], 1_185, 123],
    ['are the operator’s once everything went back', [paid, refund(6_500)], 1_185, 0],
    ['of a dispute are the operator’s while it holds everything', [paid, disputed], 1_185, 0],
    [
      'of a dispute that was won are borne by it as far as it goes',
      [paid, disputed, { ...disputed, kind: 'dispute-reversal', amount: 6_500, fee: 0, charged: 6_500 }],
      1_185,
      1_185,
    ],
    ['are borne at the rate of the payment', [{ ...paid, amount: 650 }], 1_185, 118],
    ['are the operator’s before there is a payment', [refund(1)], 1_185, 0],
  ])('%s', (_, movements, support, borne) => {
    expect(borneBySupport(movements, support)).toBe(borne)
  })

  it('take nothing of what organisations receive', () => {
    const cases = fc.record({
      ngo: fc.integer({ min: 1, max: 1_000_000 }),
      support: fc.nat(1_000_000),
      fee: fc.nat(2_000_000),
      rate: fc.integer({ min: 1, max: 3_000 }),
      back: fc.array(fc.nat(500_000), { maxLength: 5 }),
    })
    fc.assert(
      fc.property(cases, ({ ngo, support, fee, rate, back }) => {
        const charged = ngo + support
        const amount = Math.round((charged * rate) / 1_000)
        const movements: OrderMovement[] = [
          { kind: 'charge', currency: 'EUR', amount, fee, charged },
          ...back.map(each => refund(Math.round((each * rate) / 1_000))),
        ]
        const borne = borneBySupport(movements, support)
        expect(borne).toBeGreaterThanOrEqual(0)
        expect(borne).toBeLessThanOrEqual(fee)
        // What is left of the payment, less what the support bears, is never less than the organisations' part of it.
        expect(borne * charged).toBeLessThanOrEqual(support * amount)
      }),
      RUNS,
    )
  })
})
