import { LakeError, refusal } from './errors.ts'
import type { User } from './model.ts'

/** A request to the API, taken apart. */
export interface Call {
  readonly request: Request
  readonly url: URL
  /** `X`, `1` or a day: it decides what a query sees when it does not say. */
  readonly version: string
  /** The named parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Null when nobody is logged in. */
  readonly user: User | null
}

export type Handler = (call: Call) => Response | Promise<Response>

/** Handlers by method and path after the version; `:name` stands for one part of the path. */
export type Routes = Readonly<Record<string, Handler>>

export interface Found {
  readonly handler: Handler
  readonly params: Readonly<Record<string, string>>
}

/** Makes a table of routes into a look-up. A HEAD is answered as its GET. */
export function createRouter(routes: Routes): (method: string, path: string) => Found {
  const compiled = Object.entries(routes).map(([route, handler]) => {
    const [method, path] = route.split(' ') as [string, string]
    const source = path.replace(/:(\w+)/g, '(?<$1>[^/]+)')
    return { method, pattern: new RegExp(`^${source}/?$`), handler }
  })
  return (asked, path) => {
    const method = asked === 'HEAD' ? 'GET' : asked
    const matching = compiled.flatMap(route => {
      const match = route.pattern.exec(path)
      return match ? [{ ...route, params: decoded(match.groups ?? {}) }] : []
    })
    const found = matching.find(route => route.method === method)
    if (found) return found
    if (matching.length > 0) throw refusal(405, `Method ${asked} is not allowed`)
    throw refusal(404, `No such endpoint: ${path}`)
  }
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    throw refusal(400, 'The address is not well-formed')
  }
}

/** Reads a body. Refuses one that is larger than `most` bytes, or that is broken off. */
export async function bytesOf(request: Request, most: number, tooLarge: string): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw refusal(413, tooLarge)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length
      if (size > most) throw refusal(413, tooLarge)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof LakeError ? error : refusal(400, 'The request was broken off')
  }
  return Buffer.concat(chunks)
}

const MOST_JSON_BYTES = 20 * 1024 * 1024

/** Reads a body that is a JSON object. Refuses anything else. */
export async function fieldsOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await bytesOf(request, MOST_JSON_BYTES, 'The request is larger than 20 MB')
  const value = readJson(Buffer.from(bytes).toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(400, 'The body is not a JSON object')
  return value as Readonly<Record<string, unknown>>
}

/** JSON, or undefined for what is not (JSON itself has no undefined). */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
