import { z } from 'zod'

/** The browser's answer to the challenge of this press, JSON, for what gives somebody a gift or money. */
export const again = { passkey: z.string().max(16_384).optional() }

/** An amount in minor units. */
export const amount = z.number().int()

/** What a press is answered with that gives nothing away: was it carried out before? */
export const carriedOut = z
  .object({ isRepeated: z.boolean() })
  .transform(({ isRepeated }) => ({ is_repeated: isRepeated }))
