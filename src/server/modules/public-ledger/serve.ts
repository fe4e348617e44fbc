import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKPOINT_PATH, TILE_PATH } from '#domain/public-ledger/tiles.ts'

/** Every file of the log begins with it. */
const LEDGER_PATHS = '/ledger/'

/** Whoever looks for the newest head asks again after some seconds; a tile never changes. */
const CACHE = { checkpoint: 'public, max-age=5', tile: 'public, max-age=31536000, immutable' }
const TYPE = { checkpoint: 'text/plain; charset=utf-8', tile: 'application/octet-stream' }

export interface LedgerMount {
  matches(pathname: string): boolean
  /** GET and HEAD of the log's files; 404 for every other path. */
  handle(request: Request): Promise<Response>
}

/** Serves the files of the public ledger as they are. @param folder where they lie */
export function serveLedger(folder: string): LedgerMount {
  return {
    matches: pathname => pathname.startsWith(LEDGER_PATHS),
    async handle(request) {
      const path = new URL(request.url).pathname.slice(LEDGER_PATHS.length)
      const kind = path === CHECKPOINT_PATH ? 'checkpoint' : TILE_PATH.test(path) ? 'tile' : undefined
      if (kind === undefined) return missing()
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const bytes = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined
        throw error
      })
      if (bytes === undefined) return missing()
      return new Response(new Uint8Array(bytes), {
        headers: {
          'content-type': TYPE[kind],
          'content-length': String(bytes.length),
          'cache-control': CACHE[kind],
        },
      })
    },
  }
}

const missing = (): Response =>
  new Response('Not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
