import { z } from 'zod'
import { HOLD_REASONS } from '#domain/card/holds.ts'
import { CARD_STATUSES } from '#domain/card/states.ts'
import { LONGEST_SEARCH } from '#domain/desk/search.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { defineContract } from '../contract.ts'
import { again, amount, carriedOut } from './parts.ts'

/** Finds gifts by what an operator typed. Amounts are minor units, times epoch milliseconds UTC. */
export const findGifts = defineContract({
  method: 'POST',
  path: '/api/operator/find',
  request: z.object({ words: z.string().max(LONGEST_SEARCH) }),
  response: z
    .object({
      search: z.object({
        kind: z.string(),
        lacks: z
          .array(z.enum(['currency', 'day']))
          .readonly()
          .optional(),
      }),
      hits: z
        .array(
          z.object({
            kind: z.enum([
              'card',
              'free-card',
              'invitation',
              'order',
              'payout',
              'provider-payout',
              'organisation',
            ]),
            id: z.string(),
            /** The card that opens with it; null where it has none. */
            card: z.string().nullable(),
            name: z.string().nullable(),
            state: z.string().nullable(),
            amount: amount.nullable(),
            currency: z.string().nullable(),
            at: z.number().nullable(),
          }),
        )
        .readonly(),
      isMore: z.boolean(),
    })
    .transform(({ search, hits, isMore }) => ({
      /** What was recognized: never what was typed. */
      recognised: search.kind,
      lacks: search.lacks ?? [],
      hits,
      is_more: isMore,
    })),
})

/** A card, or an invitation, with everything that happened to it, oldest first. */
export const readCardFile = defineContract({
  method: 'POST',
  path: '/api/operator/card',
  request: z.object({ id: z.string().max(64) }),
  response: z
    .object({
      id: z.string(),
      orderId: z.string().nullable(),
      kind: z.enum(['donation', 'free', 'volunteering']),
      status: z.enum(CARD_STATUSES),
      language: z.string(),
      /** As only its owner recognizes it; null where it is forgotten. */
      address: z.string().nullable(),
      createdAt: z.number(),
      hasMessage: z.boolean(),
      holds: z.array(z.enum(HOLD_REASONS)).readonly(),
      credit: amount.optional(),
      currency: z.string().optional(),
      autoDonateAt: z.number().optional(),
      /** What of its payment has not gone back; null where nobody paid. */
      /** `leftOfCard`: of an order of many what is left of this one card. `byTransfer`: a person has to transfer it. `used`: was the card? */
      refundable: z
        .object({
          left: amount,
          leftOfCard: amount.optional(),
          currency: z.string(),
          used: z.boolean(),
          byTransfer: z.boolean().optional(),
        })
        .nullable(),
      /** Of an order of many: how its cards stand; null for every other card. */
      many: z
        .object({ cards: z.number().int(), toHold: z.number().int(), held: z.number().int() })
        .nullable(),
      history: z
        .array(
          z.object({
            at: z.number(),
            what: z.string(),
            details: z.string(),
            amount: z.object({ amount, currency: z.string() }).optional(),
            ids: z.array(z.string()).readonly().optional(),
            mail: z.string().optional(),
          }),
        )
        .readonly(),
    })
    .transform(({ orderId, createdAt, hasMessage, autoDonateAt, many, history, ...card }) => ({
      ...card,
      many: many && {
        cards: many.cards,
        /** Those that freezing all of them would stop. */
        to_hold: many.toHold,
        /** Those that an operator holds. */
        held: many.held,
      },
      /** Did its giver write something with it, which is still kept? */
      has_message: hasMessage,
      order_id: orderId,
      created_at: createdAt,
      /** When an unused card is given away; null where it never is. */
      auto_donate_at: autoDonateAt ?? null,
      history: history.map(({ ids, mail, ...event }) => ({
        ...event,
        ids: ids ?? [],
        /** A mail that was given up and waits for somebody; null where it is none. */
        mail: mail ?? null,
      })),
    })),
})

/** A card; or an order of many, where it is about all of its cards. */
const aCard = { card: z.string().max(64) }

/**
 * What an operator does about a gift. It needs an `Idempotency-Key`: the same press is carried out once. Amounts are
 * minor units.
 */
export const actOnGift = defineContract({
  method: 'POST',
  path: '/api/operator/act',
  request: z.discriminatedUnion('act', [
    z.object({ act: z.literal('resend'), ...aCard }),
    z.object({ act: z.literal('address'), ...aCard, email: z.string().max(254), ...again }),
    z.object({ act: z.literal('links'), ...aCard, ...again }),
    z.object({ act: z.literal('hold'), ...aCard }),
    z.object({ act: z.literal('release'), ...aCard }),
    z.object({ act: z.literal('blank'), ...aCard }),
    z.object({
      act: z.literal('refund'),
      ...aCard,
      amount: z.number().int().positive(),
      currency: z.enum(CURRENCIES),
      /** What could still be given back when the operator looked. */
      left: z.number().int().nonnegative(),
      /** Had the card been used by then? */
      used: z.boolean(),
      ...again,
    }),
  ]),
  response: z
    .object({ card: z.string(), isRepeated: z.boolean() })
    .transform(({ card, isRepeated }) => ({ card, is_repeated: isRepeated })),
})

/** Notes that somebody has dealt with a mail that was given up. It needs an `Idempotency-Key`. */
export const dealWithMail = defineContract({
  method: 'POST',
  path: '/api/operator/dealt-with',
  request: z.object({ mail: z.string().max(64) }),
  response: carriedOut,
})

/** What goes over the wire, for the Studio's tool. */
export type FoundAnswer = z.output<typeof findGifts.response>
export type CardFileAnswer = z.output<typeof readCardFile.response>
export type ActRequest = z.input<typeof actOnGift.request>
export type ActAnswer = z.output<typeof actOnGift.response>
