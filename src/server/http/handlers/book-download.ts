import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { keyNamed } from '#domain/card/gift-links.ts'
import { DEFAULT_LANGUAGE, type Language, languageFromTag } from '#domain/languages.ts'
import { isProblem, PROBLEMS, type ProblemCode } from '#domain/problems.ts'
import { getT } from '#i18n/index.ts'
import { VOLUNTEERING_CARD_PATHS } from '#paths'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import type { BookOwner } from '#server/modules/story/interface.ts'

const PATH = new RegExp(`^${VOLUNTEERING_CARD_PATHS}(?<key>[^/]+)/photo-book\\.pdf$`)
/** A request waits while the photo-book is being made, since that takes only seconds. */
const TIMEOUT_MS = 20_000

interface Parts extends Pick<App, 'volunteering' | 'photoBook' | 'limits' | 'heldGifts'> {}

/** Streams the photo-book to whoever holds a volunteering card's key. */
export function createBookDownload({ volunteering, photoBook, limits, heldGifts }: Parts) {
  return {
    matches: (pathname: string) => PATH.test(pathname),
    async handle(request: Request, { visitor: who }: { readonly visitor: string }): Promise<Response> {
      const url = new URL(request.url)
      const language = languageFromTag(url.searchParams.get('lang') ?? '') ?? DEFAULT_LANGUAGE
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const named = PATH.exec(url.pathname)?.groups?.key ?? ''
      const cookies = request.headers.get('cookie') ?? undefined
      const key = keyNamed(named, handle => heldGifts.keyOf(handle, cookies))
      let card: BookOwner
      try {
        count({ limits }, 'card-read', who)
        card = await appFor({ volunteering, limits }, who).volunteering.open(key)
      } catch (error) {
        if (isProblem(error)) return refusal(error.code, language, error.details.retryAfterSeconds)
        throw error
      }
      const file = await photoBook.file(language, TIMEOUT_MS)
      if (file === undefined) return refusal('temporarily-unavailable', language, 5)
      if (isPressedHere(request)) {
        try {
          await volunteering.noteBook(key)
        } catch (error) {
          // The giver withdrew the purchase between the two checks.
          if (isProblem(error)) return refusal(error.code, language, error.details.retryAfterSeconds)
          throw error
        }
      }
      return sendFile(file, await photoBook.dedication(file, language, card), language)
    },
  }
}

/**
 * Was this download started by a press on our own page? Only then may the GET change something
 * (product.md#withdrawal): mail scanners and link previews open links in mails, but press no button. The browser's
 * `Sec-Fetch-Site` tells the two apart.
 */
const isPressedHere = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.get('sec-fetch-site') === 'same-origin'

async function sendFile(file: string, dedication: Uint8Array, language: Language): Promise<Response> {
  const { size } = await stat(file)
  const name = getT(language)('photo-book-title')
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* createReadStream(file, { end: size - 1 })
    yield dedication
  }
  return new Response(Readable.toWeb(Readable.from(whole(), { objectMode: false })) as ReadableStream, {
    headers: {
      'content-type': 'application/pdf',
      'content-length': String(size + dedication.length),
      'content-disposition': `attachment; filename="memorial-${language}.pdf"; filename*=UTF-8''${encodeURIComponent(name)}.pdf`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}

/** In words: a person has followed a link. */
function refusal(code: ProblemCode, language: Language, retryAfterSeconds?: number): Response {
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(Math.ceil(retryAfterSeconds)))
  const key = code === 'temporarily-unavailable' ? 'photo-book-failed' : (`problem-${code}` as const)
  return new Response(`${getT(language)(key)}\n`, { status: PROBLEMS[code], headers })
}
