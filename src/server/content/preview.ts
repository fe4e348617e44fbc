import type { Clock, Preview } from '#server/app.ts'
import { operatorCookie } from '#server/operator/cookies.ts'
import { keyFor, readSigned, signed } from '#server/operator/signed.ts'

export interface PreviewRoom extends Preview {
  readonly cookieName: string
  /** Does this browser look at drafts? A cookie that is forged or over counts as none. */
  isOn(headers: Headers): boolean
}

/** As long as a secret of the Studio's lives; its preview asks anew by itself. */
const PREVIEW_SECONDS = 60 * 60

/**
 * Lets the operator's browser see drafts on the real pages, for an hour at a time, by a cookie that only this server
 * can have signed.
 * @param secret the server's own
 * @param isPreviewSecret rejects when the CMS does not answer
 */
export function createPreview({
  secret,
  secure,
  clock,
  isPreviewSecret,
}: {
  secret: string
  secure: boolean
  clock: Clock
  isPreviewSecret: (given: string) => Promise<boolean>
}): PreviewRoom {
  const cookie = operatorCookie('drafts', secure)
  const key = keyFor(secret, 'preview of drafts')
  return {
    cookieName: cookie.name,
    async enable(given) {
      if (given === '' || !(await isPreviewSecret(given))) return undefined
      return cookie.set(signed(key, String(clock() + PREVIEW_SECONDS * 1000)), PREVIEW_SECONDS)
    },
    disable: () => cookie.clear(),
    isOn: headers => Number(readSigned(key, cookie.read(headers) ?? '') ?? 0) > clock(),
  }
}
