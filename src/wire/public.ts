import { z } from 'zod'
import { CURRENCIES } from '#domain/money/currency.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'
import { STATUS_PARTS } from '#domain/status.ts'
import { defineContract } from './contract.ts'

const amount = z.number().int()
const counted = z.object({ count: z.number().int(), amount })
/** Of months, by what lines are about. */
const month = z.object({
  month: z.string(),
  currency: z.enum(CURRENCIES),
  rows: z.array(z.object({ cause: z.enum(CAUSES), ...counted.shape })).readonly(),
})
const organisation = { ngoId: z.string(), name: z.string(), amount }

const wireOrganisation = <Each extends { ngoId: string }>({ ngoId, ...each }: Each) => ({
  organisation: ngoId,
  ...each,
})

/**
 * The sums of the public ledger, for anybody (product.md#public-ledger). Amounts are minor units, days are UTC. `size` 0 and
 * no `day` before the first head.
 */
export const readPublicFigures = defineContract({
  method: 'GET',
  path: '/api/public/figures',
  request: z.undefined(),
  response: z
    .object({
      size: z.number().int(),
      day: z.string().nullable(),
      // Gifts that were begun by recipients of earlier ones: counted by the site, in no line.
      chain: z.object({ cards: z.number().int(), until: z.string().nullable() }),
      currencies: z
        .array(
          z.object({
            currency: z.enum(CURRENCIES),
            sold: counted,
            free: counted,
            given: counted,
            givenAway: counted,
            onCards: amount,
            waiting: z.array(z.object({ ...organisation, since: z.string() })).readonly(),
            inTransfer: amount,
            paidOut: amount,
            payouts: z
              .array(
                z.object({
                  year: z.string(),
                  to: z.array(z.object({ ...organisation, confirmed: amount })).readonly(),
                }),
              )
              .readonly(),
            support: amount,
            tax: amount,
            volunteering: amount,
            fees: z.object({ fromSupport: amount, fromOperator: amount }),
            refunded: amount,
            lost: amount,
          }),
        )
        .readonly(),
      // The latest first.
      months: z.array(month).readonly(),
    })
    .transform(({ size, day, chain, currencies, months }) => ({
      size,
      day,
      chain,
      months,
      currencies: currencies.map(({ givenAway, onCards, inTransfer, paidOut, fees, ...each }) => ({
        ...each,
        given_away: givenAway,
        on_cards: onCards,
        waiting: each.waiting.map(wireOrganisation),
        in_transfer: inTransfer,
        paid_out: paidOut,
        payouts: each.payouts.map(({ year, to }) => ({ year, to: to.map(wireOrganisation) })),
        fees: { from_support: fees.fromSupport, from_operator: fees.fromOperator },
      })),
    })),
})

/** The same as a table. */
export const PUBLIC_FIGURES_CSV_PATH = '/api/public/figures.csv'

/** How the site is, by its own checks (domain/status.ts). Days are UTC, hours are begun ones. */
export const readPublicStatus = defineContract({
  method: 'GET',
  path: '/api/public/status',
  request: z.undefined(),
  response: z.object({
    parts: z.record(z.enum(STATUS_PARTS), z.enum(['fine', 'disturbed', 'unknown'])),
    /** Since when visitors see the present content. */
    published: z.string(),
    /** The day of the newest signed head; null before the first. */
    checkpoint: z.string().nullable(),
    /** Since when the checks are made without a break, ninety days ago at the earliest; null while they are not made. */
    watched: z.string().nullable(),
    incidents: z
      .array(z.object({ part: z.enum(STATUS_PARTS), day: z.string(), hours: z.number().int().nullable() }))
      .readonly(),
  }),
})

/** The same as a table. */
export const PUBLIC_STATUS_CSV_PATH = '/api/public/status.csv'
