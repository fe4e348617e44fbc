/**
 * Giver and recipient both hold the private key, so it must not tell what the recipient chose: a receipt key, told in
 * the answer to the redemption alone, does. For so long, in ms, an attempt whose answer was lost is told it again.
 */
export const RECEIPT_TOLD_AGAIN_FOR_MS = 10 * 60_000

/** What the database keeps of a redemption, to know the same one when it is sent again. */
export interface KeptAttempt {
  readonly requestDigest: string
  /** The digest of its Idempotency-Key; null if the request had none, and for a card that nobody used. */
  readonly attemptDigest: string | null
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * How a redemption of a used card is answered: another choice is `refused`, the same one is a `success`, with the
 * `receipt` only for the very attempt that used the card, and only for a short time.
 * @param asked `attemptDigest` undefined where it brings no Idempotency-Key
 */
export function answerToRepeat(
  kept: KeptAttempt,
  asked: { readonly requestDigest: string; readonly attemptDigest: string | undefined },
  now: number,
): 'receipt' | 'success' | 'refused' {
  if (kept.requestDigest !== asked.requestDigest) return 'refused'
  const isAttempt = kept.attemptDigest !== null && kept.attemptDigest === asked.attemptDigest
  return isAttempt && now - kept.at < RECEIPT_TOLD_AGAIN_FOR_MS ? 'receipt' : 'success'
}
