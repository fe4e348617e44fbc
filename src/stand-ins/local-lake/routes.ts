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
  /** The site itself asks, in this process. */
  readonly isInside: boolean
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

const MOST_JSON_BYTES = 4 * 1024 * 1024
const TOO_LARGE =
  'The request is larger than 4 MB. A text may have 100,000 characters, a document 1 MB: pictures and files are uploaded.'

/** Reads a body that is a JSON object. Refuses anything else. */
export async function fieldsOf(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await bytesOf(request, MOST_JSON_BYTES, TOO_LARGE)
  const value = readJson(Buffer.from(bytes).toString('utf8'))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal(400, 'The body is not a JSON object')
  return value as Readonly<Record<string, unknown>>
}

/** Whatever walks through a value, here or in a library, does it by recursion. */
const MOST_LEVELS = 64

/** JSON, or undefined for what is not (JSON itself has no undefined). Refuses what is nested without measure. */
export function readJson(text: string): unknown {
  if (levelsIn(text) > MOST_LEVELS)
    throw refusal(400, `The JSON is nested more than ${MOST_LEVELS} levels deep`)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How deeply lists and objects are nested, read off their brackets; what stands in quotes is none. */
function levelsIn(text: string): number {
  let levels = 0
  let most = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (isQuoted) {
      if (character === BACKSLASH) at++
      else if (character === QUOTE) isQuoted = false
    } else if (character === QUOTE) isQuoted = true
    else if (character === BRACKET || character === BRACE) most = Math.max(most, ++levels)
    else if (character === BRACKET + 2 || character === BRACE + 2) levels--
  }
  return most
}

const [QUOTE = 0, BACKSLASH = 0, BRACKET = 0, BRACE = 0] = Buffer.from('"\\[{')

const MOST_IDS = 1_000

/** Names of documents in an address, separated by commas, each once. Refuses more than a client writes. */
export function idsIn(listed: string | undefined): readonly string[] {
  const ids = new Set((listed ?? '').split(','))
  if (ids.size > MOST_IDS) throw refusal(400, `More than ${MOST_IDS} documents are asked for at once`)
  return [...ids]
}

const MOST_AT_ONCE = 1_000

/** Refuses a transaction of more parts than a client sends. */
export function checkNumber(parts: readonly unknown[]): void {
  if (parts.length > MOST_AT_ONCE)
    throw refusal(
      413,
      `A transaction may have ${MOST_AT_ONCE.toLocaleString('en')} parts, not ${parts.length}`,
    )
}
