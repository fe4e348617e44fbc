import { refusal } from './errors.ts'
import { isVersion } from './ids.ts'
import type { ListenRequest } from './listen.ts'
import type { Query } from './query.ts'
import { type Call, fieldsOf, readJson } from './routes.ts'

/** Since this version of the API a query sees published documents unless it asks for more. */
const PUBLISHED_BY_DEFAULT_SINCE = '2025-02-19'

export interface QueryRequest extends Query {
  readonly perspective: string
  readonly returnQuery: boolean
}

/** Reads a question: from the address of a GET (`query`, `$name` as JSON), or the body of a POST (`{query, params}`). */
export async function readQueryRequest({ request, url, version }: Call): Promise<QueryRequest> {
  const asked = url.searchParams
  const query = request.method === 'POST' ? fromBody(await fieldsOf(request)) : fromAddress(asked)
  return {
    ...query,
    perspective: asked.get('perspective') || defaultPerspective(version),
    returnQuery: asked.get('returnQuery') !== 'false',
  }
}

function defaultPerspective(version: string): string {
  return version === 'X' || version >= PUBLISHED_BY_DEFAULT_SINCE ? 'published' : 'raw'
}

export function readListenRequest({ request, url }: Call): ListenRequest {
  const asked = url.searchParams
  const includesVersions = isYes(asked, 'includeAllVersions')
  const last = request.headers.get('last-event-id')
  return {
    ...fromAddress(asked),
    includeResult: isYes(asked, 'includeResult'),
    includePreviousRevision: isYes(asked, 'includePreviousRevision'),
    includeMutations: asked.get('includeMutations') !== 'false',
    includeEffects: asked.get('effectFormat') === 'mendoza',
    resumeAfter: last && isYes(asked, 'enableResume') ? last : undefined,
    sees: id => includesVersions || !isVersion(id),
  }
}

export const isYes = (asked: URLSearchParams, name: string): boolean => asked.get(name) === 'true'

function fromAddress(asked: URLSearchParams): Query {
  const query = asked.get('query')
  if (query === null) throw refusal(400, 'Missing parameter "query"')
  const params: Record<string, unknown> = {}
  for (const [name, value] of asked) {
    if (!name.startsWith('$')) continue
    const parsed = readJson(value)
    if (parsed === undefined) throw refusal(400, `Parameter "${name}" is not JSON`)
    params[name.slice(1)] = parsed
  }
  return { query, params }
}

function fromBody({ query, params }: Readonly<Record<string, unknown>>): Query {
  if (typeof query !== 'string') throw refusal(400, 'Missing field "query"')
  const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {}
  return { query, params: given }
}
