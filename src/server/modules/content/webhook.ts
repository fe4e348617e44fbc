import { createHmac } from 'node:crypto'
import { isSame } from '#server/modules/operator/signed.ts'

/**
 * How far a call's time may differ from ours. A call outside that time may be a copy of one that somebody overheard.
 */
const WINDOW_MS = 5 * 60_000

const SIGNATURE = /^t=(?<time>\d{1,15})[, ]+v1=(?<digest>[\w-]+)=*$/

/**
 * Did the content service send this? Its signature is an HMAC-SHA256, in base64url, over the time and the body.
 * @param rawBody exactly as it came
 * @param header `sanity-webhook-signature`: `t={epoch ms},v1={digest}`
 * @param now epoch ms
 */
export function isSignedNews(
  rawBody: string,
  header: string | null,
  { secret, now }: { secret: string; now: number },
): boolean {
  const { time, digest } = SIGNATURE.exec(header?.trim() ?? '')?.groups ?? {}
  if (time === undefined || digest === undefined || Math.abs(now - Number(time)) > WINDOW_MS) return false
  const expected = createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('base64url')
  return isSame(digest, expected)
}
