import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKPOINT_PATH, TILE_PATH } from '#domain/public-ledger/tiles.ts'

/** Every file of the log begins with it. */
const LEDGER_PATHS = '/ledger/'

/** A log that goes on under another name has a number before its paths. */
const FORK = /^(?:([2-9]|[1-9]\d{1,2})\/)?(.*)$/s

/** Whoever looks for the newest head asks again after some seconds; a tile never changes. */
const CACHE = { checkpoint: 'public, max-age=5', tile: 'public, max-age=31536000, immutable' }
const TYPE = { checkpoint: 'text/plain; charset=utf-8', tile: 'application/octet-stream' }

export interface LedgerMount {
  matches(pathname: string): boolean
  /** GET and HEAD of the log's files; 404 for every other path. */
  handle(request: Request): Promise<Response>
}

/** The bytes in the smallest coding that a request accepts, and its name; `identity` where that is none. */
export type Encode = (
  bytes: Buffer,
  acceptEncoding: string | undefined,
) => { readonly encoding: string; readonly bytes: Uint8Array }

/** Lines are texts, and shrink to a third; hashes do not. */
const ENTRIES = 'tile/entries/'

const asTheyAre: Encode = bytes => ({ encoding: 'identity', bytes })

/**
 * Serves the files of the public ledger as they are.
 * @param folder where they lie
 * @param encode makes files of lines smaller on their way
 */
export function serveLedger(folder: string, encode: Encode = asTheyAre): LedgerMount {
  return {
    matches: pathname => pathname.startsWith(LEDGER_PATHS),
    async handle(request) {
      const [, fork, path = ''] = FORK.exec(new URL(request.url).pathname.slice(LEDGER_PATHS.length))!
      const kind = path === CHECKPOINT_PATH ? 'checkpoint' : TILE_PATH.test(path) ? 'tile' : undefined
      if (kind === undefined) return missing()
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const bytes = await readFile(join(fork === undefined ? folder : `${folder}-${fork}`, path)).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined
          throw error
        },
      )
      if (bytes === undefined) return missing()
      const isText = path.startsWith(ENTRIES)
      const sent = isText
        ? encode(bytes, request.headers.get('accept-encoding') ?? undefined)
        : asTheyAre(bytes, undefined)
      return new Response(new Uint8Array(sent.bytes), {
        headers: {
          'content-type': TYPE[kind],
          'content-length': String(sent.bytes.length),
          'cache-control': CACHE[kind],
          ...(isText && { vary: 'Accept-Encoding' }),
          ...(sent.encoding !== 'identity' && { 'content-encoding': sent.encoding }),
        },
      })
    },
  }
}

const missing = (): Response =>
  new Response('Not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
