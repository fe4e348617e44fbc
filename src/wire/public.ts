import { z } from 'zod'
import { CURRENCIES } from '#domain/money/currency.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'
import { STATUS_PARTS, type StatusPart } from '#domain/status.ts'
import { defineContract } from './contract.ts'

const amount = z.number().int()
const counted = z.object({ count: z.number().int(), amount })
/** Of months, by what lines are about. */
const month = z.object({
  month: z.string(),
  currency: z.enum(CURRENCIES),
  rows: z.array(z.object({ cause: z.enum(CAUSES), ...counted.shape })).readonly(),
})
const head = {
  size: z.number().int(),
  day: z.string().nullable(),
  // Gifts that were begun by recipients of earlier ones: counted by the site, in no line.
  chain: z.object({ cards: z.number().int(), until: z.string().nullable() }),
  // The latest first.
  months: z.array(month).readonly(),
}
/** What is called alike inside and on the wire. */
const alike = {
  currency: z.enum(CURRENCIES),
  sold: counted,
  free: counted,
  given: counted,
  support: amount,
  tax: amount,
  volunteering: amount,
  refunded: amount,
  lost: amount,
}
const inside = { ngoId: z.string(), name: z.string(), amount }
const organisation = { organisation: z.string(), name: z.string(), amount }

const wireOrganisation = <Each extends { ngoId: string }>({ ngoId, ...each }: Each) => ({
  organisation: ngoId,
  ...each,
})

/** The sums of one currency as the site has them. */
const figures = z.object({
  ...alike,
  givenAway: counted,
  onCards: amount,
  waiting: z.array(z.object({ ...inside, since: z.string() })).readonly(),
  inTransfer: amount,
  paidOut: amount,
  payouts: z
    .array(z.object({ year: z.string(), to: z.array(z.object({ ...inside, confirmed: amount })).readonly() }))
    .readonly(),
  fees: z.object({ fromSupport: amount, fromOperator: amount }),
})

/** The same as they leave. */
const wireFigures = z.object({
  ...alike,
  given_away: counted,
  on_cards: amount,
  waiting: z.array(z.object({ ...organisation, since: z.string() })),
  in_transfer: amount,
  paid_out: amount,
  payouts: z.array(
    z.object({ year: z.string(), to: z.array(z.object({ ...organisation, confirmed: amount })) }),
  ),
  fees: z.object({ from_support: amount, from_operator: amount }),
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
    .object({ ...head, currencies: z.array(figures).readonly() })
    .transform(({ currencies, ...rest }) => ({
      ...rest,
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
    }))
    .pipe(z.object({ ...head, currencies: z.array(wireFigures) })),
})

/** The same as a table. */
export const PUBLIC_FIGURES_CSV_PATH = '/api/public/figures.csv'

const state = z.enum(['fine', 'disturbed', 'unknown'])
const parts = Object.fromEntries(STATUS_PARTS.map(part => [part, state])) as Record<StatusPart, typeof state>

/** How the site is, by its own checks (domain/status.ts). Days are UTC, hours are begun ones. */
export const readPublicStatus = defineContract({
  method: 'GET',
  path: '/api/public/status',
  request: z.undefined(),
  response: z.object({
    parts: z.object(parts),
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
