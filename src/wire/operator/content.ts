import { z } from 'zod'
import { defineContract } from '../contract.ts'

/** How the content gets on, for the operator. Times are epoch milliseconds UTC. */
export const readContentState = defineContract({
  method: 'GET',
  path: '/api/operator/content',
  request: z.undefined(),
  response: z
    .object({
      releasedAt: z.number(),
      checkedAt: z.number(),
      isUnpublished: z.boolean(),
      fault: z
        .object({
          kind: z.enum(['broken', 'unreachable']),
          since: z.number(),
          says: z.array(z.string()).readonly(),
        })
        .optional(),
    })
    .transform(({ releasedAt, checkedAt, isUnpublished, fault }) => ({
      /** `current`, or why newer content is not shown. */
      state: fault?.kind ?? (isUnpublished ? 'unpublished' : 'current'),
      released_at: releasedAt,
      checked_at: checkedAt,
      since: fault?.since ?? null,
      says: fault?.says ?? [],
    })),
})

/** What goes over the wire, for the Studio's tool. */
export type ContentStateAnswer = z.output<typeof readContentState.response>
