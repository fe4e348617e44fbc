import type { Preview, PreviewLook } from '#server/modules/content/interface.ts'
import { operatorCookie } from '#server/modules/operator/cookies.ts'
import { keyFor, readSigned, signed } from '#server/modules/operator/signed.ts'
import type { Clock } from '#server/platform/clock.ts'
import { DRAFTS_COOKIE } from '#wire/browser-names.ts'

export interface PreviewService extends Preview {
  readonly cookieName: string
  /** The content that this browser sees. A forged or expired cookie counts as none. */
  lookOf(headers: Headers): PreviewLook | undefined
}

/** As long as the Studio's secret is valid. The Studio's preview asks again by itself. */
const PREVIEW_SECONDS = 60 * 60

/** Before the end, in a cookie that shows no drafts. */
const PUBLISHED = 'published.'

/**
 * Lets the operator's browser see drafts on the real pages, for an hour at a time, by a cookie that only this server
 * can have signed. Pages that answer the Studio are no visitor's pages, so it says too when these are to show no drafts.
 * @param secret the server's own
 * @param isPreviewSecret rejects with a Problem when the CMS does not answer
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
}): PreviewService {
  const cookie = operatorCookie(DRAFTS_COOKIE, secure)
  const key = keyFor(secret, 'preview of drafts')

  function cookieFor(look: PreviewLook): string {
    const end = clock() + PREVIEW_SECONDS * 1000
    return cookie.set(signed(key, look === 'published' ? PUBLISHED + end : `${end}`), PREVIEW_SECONDS)
  }

  function lookOf(headers: Headers): PreviewLook | undefined {
    const text = readSigned(key, cookie.read(headers) ?? '') ?? ''
    const look = text.startsWith(PUBLISHED) ? 'published' : 'drafts'
    return Number(text.replace(PUBLISHED, '')) > clock() ? look : undefined
  }

  return {
    cookieName: cookie.name,
    async enable(given, look) {
      if (given === '' || !(await isPreviewSecret(given))) return undefined
      return cookieFor(look)
    },
    disable(headers) {
      const isInStudio = headers.get('sec-fetch-dest') === 'iframe' && lookOf(headers) !== undefined
      return isInStudio ? cookieFor('published') : cookie.clear()
    },
    lookOf,
  }
}
