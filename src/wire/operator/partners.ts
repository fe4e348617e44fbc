import { z } from 'zod'
import { defineContract } from '../contract.ts'
import { again } from './parts.ts'

/** The partners whose programs open payments. Times are epoch milliseconds UTC, days UTC. */
export const readPartners = defineContract({
  method: 'GET',
  path: '/api/operator/partners',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        contact: z.string().nullable(),
        scopes: z.string(),
        createdAt: z.number(),
        usedDay: z.string().nullable(),
        revokedAt: z.number().nullable(),
      }),
    )
    .readonly()
    .transform(partners =>
      partners.map(({ createdAt, usedDay, revokedAt, ...each }) => ({
        ...each,
        created_at: createdAt,
        used_day: usedDay,
        revoked_at: revokedAt,
      })),
    ),
})

/** What a treasurer does about partners. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnPartners = defineContract({
  method: 'POST',
  path: '/api/operator/partner-act',
  request: z.discriminatedUnion('act', [
    z.object({
      act: z.literal('add'),
      name: z.string().max(200),
      contact: z.string().max(254),
      scopes: z.string().max(100),
      ...again,
    }),
    z.object({ act: z.literal('revoke'), partner: z.string().max(64), ...again }),
  ]),
  response: z
    .object({ isRepeated: z.boolean(), made: z.object({ partner: z.string(), key: z.string() }).optional() })
    .transform(({ isRepeated, made }) => ({
      is_repeated: isRepeated,
      /** The key is shown once. */
      made: made ?? null,
    })),
})

/** What goes over the wire, for the Studio's tool. */
export type PartnersAnswer = z.output<typeof readPartners.response>
export type PartnerActRequest = z.input<typeof actOnPartners.request>
export type PartnerActAnswer = z.output<typeof actOnPartners.response>
