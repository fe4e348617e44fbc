import { z } from 'zod'
import { CARD_STATUSES } from '#domain/card/states.ts'
import { defineContract } from '../contract.ts'
import { amount } from './parts.ts'

/** The figures of the whole business, for the operator. Amounts are minor units, times epoch milliseconds UTC. */
export const readSummary = defineContract({
  method: 'GET',
  path: '/api/operator/summary',
  request: z.undefined(),
  response: z
    .object({
      at: z.number(),
      money: z
        .array(
          z.object({
            currency: z.string(),
            orders: z.number(),
            paid: amount,
            campaign: amount,
            support: amount,
            tax: amount,
            volunteering: amount,
            outstanding: amount,
            allocated: amount,
            beingPaidOut: amount,
            paidOut: amount,
            refunded: amount,
            losses: amount,
          }),
        )
        .readonly(),
      cards: z.record(z.enum(CARD_STATUSES), z.number()),
      expiringSoon: z.number(),
      disputed: z.number(),
      disputedCards: z.array(z.string()).readonly(),
      owed: z
        .array(
          z.object({
            ngoId: z.string(),
            name: z.string(),
            currency: z.string(),
            amount,
            allocations: z.number(),
            oldestAt: z.number(),
          }),
        )
        .readonly(),
      mails: z.object({ waiting: z.number(), failing: z.number(), givenUp: z.number() }),
      givenUp: z
        .array(
          z.object({
            id: z.string(),
            card: z.string().nullable(),
            kind: z.string(),
            reason: z.string(),
          }),
        )
        .readonly(),
      jobs: z
        .array(
          z.object({
            name: z.string(),
            nextRunAt: z.number(),
            leaseUntil: z.number().nullable(),
            startedAt: z.number().nullable(),
            finishedAt: z.number().nullable(),
            outcome: z.string().nullable(),
            result: z.record(z.string(), z.union([z.string(), z.number()])),
          }),
        )
        .readonly(),
      review: z.object({ reviewedAt: z.string(), isDue: z.boolean() }),
      campaigns: z
        .array(z.object({ tag: z.string(), active: z.boolean(), stock: z.number(), claimed: z.number() }))
        .readonly(),
      deadLinks: z
        .array(
          z.object({ link: z.string(), organisation: z.string(), reason: z.string(), since: z.number() }),
        )
        .readonly(),
    })
    .transform(
      ({ expiringSoon, money, owed, mails, givenUp, jobs, review, deadLinks, disputedCards, ...rest }) => ({
        ...rest,
        expiring_soon: expiringSoon,
        /** Cards whose payment is disputed, some at most. */
        disputed_cards: disputedCards,
        money: money.map(({ beingPaidOut, paidOut, ...each }) => ({
          ...each,
          being_paid_out: beingPaidOut,
          paid_out: paidOut,
        })),
        owed: owed.map(({ ngoId, oldestAt, ...each }) => ({ ...each, ngo_id: ngoId, oldest_at: oldestAt })),
        mails: { waiting: mails.waiting, failing: mails.failing, given_up: mails.givenUp },
        /** Mails that were given up and that nobody has dealt with, some at most; `card` is null where it is about none. */
        given_up: givenUp,
        jobs: jobs.map(({ nextRunAt, leaseUntil, startedAt, finishedAt, ...each }) => ({
          ...each,
          next_run_at: nextRunAt,
          /** Somebody is at it until then; null when nobody is. */
          lease_until: leaseUntil,
          started_at: startedAt,
          finished_at: finishedAt,
        })),
        review: { reviewed_at: review.reviewedAt, is_due: review.isDue },
        /** Links of organisations that have failed on several days, the longest ago first. */
        dead_links: deadLinks,
      }),
    ),
})

/** What visitors allowed us to count, for the operator: numbers of groups. `since` is epoch milliseconds UTC. */
export const readAudience = defineContract({
  method: 'GET',
  path: '/api/operator/audience',
  request: z.undefined(),
  response: z.object({
    since: z.number(),
    visits: z.array(z.object({ level: z.string(), language: z.string(), visits: z.number() })).readonly(),
    funnel: z.array(z.object({ route: z.string(), language: z.string(), visits: z.number() })).readonly(),
    campaigns: z.array(z.object({ code: z.string(), visits: z.number(), claims: z.number() })).readonly(),
    polls: z
      .array(z.object({ poll: z.string(), question: z.string(), value: z.string(), answers: z.number() }))
      .readonly(),
    vitals: z
      .array(z.object({ route: z.string(), name: z.string(), p75: z.number(), samples: z.number() }))
      .readonly(),
  }),
})

/** What goes over the wire, for the Studio's tool. */
export type SummaryAnswer = z.output<typeof readSummary.response>
export type AudienceAnswer = z.output<typeof readAudience.response>
