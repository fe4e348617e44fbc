import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Language } from '#domain/languages.ts'
import { visitorLanguage } from './visitor-language.ts'

/** One request on its way to an answer. */
export interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path as it was sent, without the query. */
  readonly path: string
  /** The query with its question mark, or the empty text. */
  readonly query: string
}

export const PAGE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** Makes the visit of a request. */
export function visitOf(request: IncomingMessage, response: ServerResponse): Visit {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
  return { request, response, path, query }
}

/** The method of a request, `GET` where it names none. */
export const methodOf = ({ request }: Visit): string => request.method ?? 'GET'

/** Does a request say that a body follows? */
export const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

/** Is this the path of a call, of which no page is shown? */
export const isApi = (path: string): boolean => path.startsWith('/api')

/** @param prefix the language of the path, where it has one */
export function languageOf(
  { request, query }: Visit,
  prefix: Language | undefined,
): ReturnType<typeof visitorLanguage> {
  return visitorLanguage({
    query,
    path: prefix,
    cookieHeader: request.headers.cookie,
    acceptLanguage: request.headers['accept-language'],
  })
}
