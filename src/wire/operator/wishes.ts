import { z } from 'zod'
import { defineContract } from '../contract.ts'
import { carriedOut } from './parts.ts'

/** The organisations that recipients miss on the list, the newest first: words of strangers, to be shown as text alone. */
export const readWishes = defineContract({
  method: 'GET',
  path: '/api/operator/wishes',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        word: z.string(),
        names: z.array(z.string()).readonly(),
        hints: z.array(z.string()).readonly(),
        cards: z.number(),
        unseen: z.number(),
        newestAt: z.number(),
      }),
    )
    .readonly()
    .transform(wishes => wishes.map(({ newestAt, ...each }) => ({ ...each, newest_at: newestAt }))),
})

/** Marks the wishes for one organisation as looked at, as far as they were shown. It needs an `Idempotency-Key`. */
export const lookAtWish = defineContract({
  method: 'POST',
  path: '/api/operator/wish-seen',
  request: z.object({ word: z.string().min(1).max(400), until: z.int().min(0) }),
  response: carriedOut,
})

/** What goes over the wire, for the Studio's tool. */
export type WishesAnswer = z.output<typeof readWishes.response>
