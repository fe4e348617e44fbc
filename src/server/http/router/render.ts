import type { Language } from '#domain/languages.ts'
import type { App } from '#server/http/app.ts'
import { type AstroHandler, type Rendered, renderRequest } from '#server/http/page-cache/astro-handler.ts'
import type { CardPageCache } from '#server/http/page-cache/card-pages.ts'
import { codingFor, sendRendered } from '#server/http/page-cache/dynamic-answers.ts'
import { createLastingPages } from '#server/http/page-cache/lasting-pages.ts'
import { appFor, type KeyOfHandle } from '#server/http/pipeline/app-for.ts'
import { problemAnswer, redirectAnswer, sendAnswer } from '#server/http/transport/answers.ts'
import type { ClientAddress } from '#server/http/transport/client-address.ts'
import type { PreviewLook } from '#server/modules/content/interface.ts'
import { createPlaces } from './places.ts'
import type { Replies } from './replies.ts'
import { mostBytesOf } from './uploads.ts'
import { languageOf, type Visit } from './visit.ts'
import { rememberLanguage } from './visitor-language.ts'

/** What every page and endpoint finds in `locals`. */
export interface PageLocals {
  readonly app: App
  readonly language: Language
  /** The request does not say which language the visitor reads. A card is then shown in its own language. */
  readonly isLanguageGuess?: boolean
  readonly clientAddress: string
  /** The page shows drafts. */
  readonly preview?: PreviewLook
  /** Why the drafts cannot be shown. */
  readonly draftFaults?: readonly string[]
  readonly contentDigest?: string
}

/** A page or call that Astro renders for one visitor. */
export interface Rendering {
  readonly kind: 'receiver' | 'operator' | 'api'
  readonly path: string
  /** The language of the path, where it has one. */
  readonly language?: Language | undefined
  /** What the page finds in `locals` besides. */
  readonly locals?: Partial<PageLocals>
  /** The page says the same for ever, to everybody. */
  readonly isLasting?: boolean
}

export interface RenderParts {
  readonly app: App
  readonly site: URL
  readonly astro: AstroHandler
  readonly clientAddress: ClientAddress
  /** Without it every recipient's page is rendered anew. */
  readonly cardPageCache?: CardPageCache | undefined
  readonly replies: Replies
}

/** As long as whoever sends slowly may take. */
const COME_BACK_AFTER_SECONDS = '30'

export type Render = (visit: Visit, rendering: Rendering) => Promise<void>

/** Has Astro render what is made for one visitor, and sends it. */
export function createRender({
  app,
  site,
  astro,
  clientAddress,
  cardPageCache,
  replies,
}: RenderParts): Render {
  const secureCookie = site.protocol === 'https:'
  const packLasting = createLastingPages()
  const places = createPlaces()
  return async (visit, { kind, path, language: prefix, locals: more, isLasting }) => {
    const { request } = visit
    const most = await mostBytesOf(app, visit, { clientAddress, places })
    if (most === undefined) return replies.failure(visit, prefix, COME_BACK_AFTER_SECONDS)
    const body = await replies.bodyOf(visit, most)
    if (!body) return
    const { language, asked, isGuess } = languageOf(visit, prefix)
    const head = request.method === 'HEAD'
    // Astro gets our own host, whatever Host header the visitor sent, and the body that was read before.
    request.headers.host = site.host
    Object.assign(request, { url: path + visit.query, body, ...(head && { method: 'GET' }) })
    const { cookie: cookies } = request.headers
    const keyOf: KeyOfHandle = handle => app.heldGifts.keyOf(handle, cookies)
    const render = () => {
      const address = clientAddress(request)
      const locals: PageLocals = {
        app: appFor(app, address, keyOf),
        language,
        isLanguageGuess: isGuess,
        clientAddress: address,
        ...more,
      }
      return renderRequest(astro, request, locals)
    }
    const mayBeKept = kind === 'receiver' && request.method === 'GET' && visit.query === ''
    const made = await (mayBeKept && cardPageCache
      ? cardPageCache(
          { path, keyOf, language, isLanguageGuess: isGuess, encoding: codingFor(request) },
          render,
        )
      : render())
    const rendered = isLasting ? await packLasting(made, codingFor(request)) : made
    if (head) request.method = 'HEAD'
    const cookie = asked && kind !== 'api' ? rememberLanguage(language, secureCookie) : undefined
    send(replies, visit, kind, rendered, cookie)
  }
}

function send(
  replies: Replies,
  visit: Visit,
  kind: Rendering['kind'],
  rendered: Rendered,
  cookie: string | undefined,
): void {
  const { request, response } = visit
  const isCall = kind === 'api'
  const json = String(rendered.headers['content-type'] ?? '').includes('json')
  // Some pages tell a failure themselves: the split without scripts keeps what was typed, and the Studio's page says
  // that the Studio is not there yet.
  // The body of a kept page is made only where somebody looks at it.
  const isOwnPage = () => !isCall && rendered.body.length > 0
  const hasFailed = rendered.status >= 500 && !json && !isOwnPage()
  if (rendered.unmatched && isCall) replies.missing(visit)
  else if (rendered.unmatched) sendAnswer(response, redirectAnswer('/'))
  else if (hasFailed && isCall) sendAnswer(response, problemAnswer('something-went-wrong'))
  else if (hasFailed)
    replies.failure(visit, undefined, rendered.status === 503 ? retryAfterOf(rendered) : undefined)
  else sendRendered(request, response, rendered, { page: !isCall, ...(cookie !== undefined && { cookie }) })
}

const retryAfterOf = ({ headers }: Rendered): string => String(headers['retry-after'] ?? 1)
