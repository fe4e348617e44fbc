import { z } from 'zod'
import { LONGEST_LINK } from '#domain/card/gift-links.ts'
import { OPEN_GIFT_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'

/**
 * Trades the key of a link for a handle, which the answer's cookie lets this browser hold. `to` is where the gift is
 * now; where the browser refuses cookies, at the address with its key.
 */
export const openGift = defineContract({
  method: 'POST',
  path: OPEN_GIFT_PATH,
  request: z.object({ link: z.string().min(1).max(LONGEST_LINK) }),
  response: z.object({ to: z.string() }),
})
