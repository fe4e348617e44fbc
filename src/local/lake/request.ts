import type { Query } from './query.ts'

/** Since this version of the API a query sees published documents unless it asks for more. */
const PUBLISHED_BY_DEFAULT_SINCE = '2025-02-19'

export interface QueryRequest extends Query {
  readonly dataset: string
  readonly perspective: string
  readonly returnQuery: boolean
}

/** A request that the API refuses, with the sentence it answers. */
export interface Refusal {
  readonly status: 400 | 404 | 405
  readonly message: string
}

const PATH = /^\/v(?<version>X|\d{4}-\d{2}-\d{2}|1)\/data\/query\/(?<dataset>[a-z0-9_-]+)$/

/**
 * Reads what a request asks of `/v…/data/query/{dataset}`: the query and its parameters from the address of a
 * GET (`query`, `$name` as JSON) or the body of a POST (`{query, params}`).
 */
export async function readQueryRequest(request: Request): Promise<QueryRequest | Refusal> {
  const url = new URL(request.url)
  const path = PATH.exec(url.pathname)?.groups
  if (path === undefined) return { status: 404, message: `No such endpoint: ${url.pathname}` }
  const query = await readQuery(request, url.searchParams)
  if ('status' in query) return query
  return {
    ...query,
    dataset: path.dataset ?? '',
    perspective: url.searchParams.get('perspective') ?? defaultPerspective(path.version ?? ''),
    returnQuery: url.searchParams.get('returnQuery') !== 'false',
  }
}

function defaultPerspective(version: string): string {
  return version === 'X' || version >= PUBLISHED_BY_DEFAULT_SINCE ? 'published' : 'raw'
}

async function readQuery(request: Request, asked: URLSearchParams): Promise<Query | Refusal> {
  if (request.method === 'GET') return fromAddress(asked)
  if (request.method === 'POST') return fromBody(await request.text())
  return { status: 405, message: `Method ${request.method} is not allowed` }
}

function fromAddress(asked: URLSearchParams): Query | Refusal {
  const query = asked.get('query')
  if (query === null) return { status: 400, message: 'Missing parameter "query"' }
  const params: Record<string, unknown> = {}
  for (const [name, value] of asked) {
    if (!name.startsWith('$')) continue
    const parsed = readJson(value)
    if (parsed === undefined) return { status: 400, message: `Parameter "${name}" is not JSON` }
    params[name.slice(1)] = parsed
  }
  return { query, params }
}

function fromBody(text: string): Query | Refusal {
  const body = readJson(text)
  if (typeof body !== 'object' || body === null) return { status: 400, message: 'The body is not JSON' }
  const { query, params } = body as Record<string, unknown>
  if (typeof query !== 'string') return { status: 400, message: 'Missing field "query"' }
  const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {}
  return { query, params: given }
}

/** JSON, or undefined for what is not (JSON itself has no undefined). */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
