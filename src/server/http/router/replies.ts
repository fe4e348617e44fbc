import type { Language } from '#domain/languages.ts'
import { ERROR_PATH, type PublishedPage, UNAVAILABLE_PATH } from '#paths'
import type { PublishedPages } from '#server/http/page-cache/published-pages.ts'
import { problemAnswer, sendAnswer, textAnswer } from '#server/http/transport/answers.ts'
import { sendPrepared } from '#server/http/transport/prepared.ts'
import { MOST_BODY_BYTES, readBody } from '#server/http/transport/request-body.ts'
import { bringsBody, isApi, languageOf, type Visit } from './visit.ts'
import { rememberLanguage } from './visitor-language.ts'

const NOTHING = Buffer.alloc(0)

/** The answers that any path may get: a published page, a failure, not found, method not allowed. */
export interface Replies {
  /**
   * Sends a published page in the visitor's language.
   * @param prefix the language of the path, where it has one
   * @returns false when the page is not published
   */
  page(
    visit: Visit,
    page: PublishedPage,
    prefix: Language | undefined,
    options?: { readonly status?: number; readonly extra?: readonly string[] },
  ): boolean
  /**
   * Sends the page for failures in the visitor's language, or a plain line where that page is missing. The page is sent
   * at the address that failed and offers to try that address again, so no cache may keep it.
   * @param retryAfter seconds, when the page could not be made just now and will be later
   */
  failure(visit: Visit, prefix?: Language, retryAfter?: string): void
  missing(visit: Visit): void
  refuseMethod(visit: Visit, allowed: ReadonlySet<string>): void
  /** Reads the body of at most so many bytes, or answers 413 and gives undefined. */
  bodyOf(visit: Visit, most?: number): Promise<Buffer | undefined>
}

/** @param pages by their path */
export function createReplies(
  pages: ReadonlyMap<string, PublishedPage>,
  published: PublishedPages,
  secureCookie: boolean,
): Replies {
  const page: Replies['page'] = (visit, asked, prefix, { status = 200, extra = [] } = {}) => {
    const { language, asked: isAsked } = languageOf(visit, prefix)
    const entry = published.find(language, asked.path)
    if (!entry) return false
    // `?lang=` beats the prefix. The answer is then for this visitor alone.
    const prepared = prefix !== undefined && !isAsked ? entry.canonical : entry.chosen
    sendPrepared(visit.request, visit.response, prepared, {
      status,
      extra: isAsked ? [...extra, 'Set-Cookie', rememberLanguage(language, secureCookie)] : extra,
    })
    return true
  }
  return {
    page,
    failure(visit, prefix, retryAfter) {
      if (visit.response.headersSent) {
        visit.response.destroy()
        return
      }
      const [path, status] = retryAfter === undefined ? [ERROR_PATH, 500] : [UNAVAILABLE_PATH, 503]
      const headers: [string, string][] = retryAfter === undefined ? [] : [['Retry-After', retryAfter]]
      const designed = pages.get(path)
      if (designed && page(visit, designed, prefix, { status, extra: headers.flat() })) return
      sendAnswer(visit.response, textAnswer(status, 'Something went wrong. Please try again.', headers))
    },
    missing: visit =>
      sendAnswer(
        visit.response,
        isApi(visit.path) ? problemAnswer('not-found') : textAnswer(404, 'Not found'),
      ),
    refuseMethod(visit, allowed) {
      const allow = [['Allow', [...allowed, 'OPTIONS'].join(', ')]] as const
      if (visit.request.method === 'OPTIONS') sendAnswer(visit.response, { status: 204, headers: allow })
      else sendAnswer(visit.response, problemAnswer('method-not-allowed', allow))
    },
    async bodyOf(visit, most = MOST_BODY_BYTES) {
      if (!bringsBody(visit.request)) return NOTHING
      const body = await readBody(visit.request, most)
      // The connection ends here: the unread rest of the body would be taken for the next request.
      if (!body) sendAnswer(visit.response, problemAnswer('body-too-large', [['Connection', 'close']]))
      return body
    },
  }
}
