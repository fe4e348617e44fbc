import { createHash } from 'node:crypto'

/**
 * Under what name it is kept which look at a charge was written last. What stands there is no time, but `writtenLook`.
 */
export const nameOfWritten = (chargeId: string): string => `payment-followed:${chargeId}`

/** So many digests there are, and so many looks are counted before the count begins anew: together a safe integer. */
const DIGESTS = 2 ** 36
const COUNTED = 2 ** 16

/**
 * What is kept of a look: a digest of all that it says, and how many others were written before it. What is written of the money alone
 * can be the same though a refund has failed and the next one was made; and of a look that says the same as one before the last, whoever
 * looked between them has to learn that it was written since.
 * @param facts what the look says, as it is written in JSON
 * @param before what was kept before; undefined where nothing was
 * @returns `before` itself where the last look said the same
 */
export function writtenLook(facts: unknown, before: number | undefined): number {
  const digest = Number.parseInt(
    createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 9),
    16,
  )
  if (before !== undefined && before % DIGESTS === digest) return before
  const count = before === undefined ? 0 : (Math.floor(before / DIGESTS) + 1) % COUNTED
  return count * DIGESTS + digest
}
