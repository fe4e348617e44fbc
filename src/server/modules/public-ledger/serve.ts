import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HASH_BYTES } from '#domain/public-ledger/bytes.ts'
import { PROVED_PATH } from '#domain/public-ledger/proof.ts'
import { proveGrowth, proveLine } from '#domain/public-ledger/prove.ts'
import { bundleOf, CHECKPOINT_PATH, entriesIn, TILE_PATH, TILE_WIDTH } from '#domain/public-ledger/tiles.ts'
import { sha256 } from './sha256.ts'

/** Every file of the log begins with it. */
const LEDGER_PATHS = '/ledger/'

/** A log that goes on under another name has a number before its paths. */
const FORK = /^(?:([2-9]|[1-9]\d{1,2})\/)?(.*)$/s

/** Whoever looks for the newest head asks again after some seconds; a tile never changes. */
const CACHE = { checkpoint: 'public, max-age=5', tile: 'public, max-age=31536000, immutable' }
const TYPE = { checkpoint: 'text/plain; charset=utf-8', tile: 'application/octet-stream' }

export interface LedgerMount {
  matches(pathname: string): boolean
  /** Is it a proof, which is made when somebody asks for it? All else is a file. */
  isMade(pathname: string): boolean
  /** GET and HEAD of the log's files and its proofs; 404 for every other path. */
  handle(request: Request): Promise<Response>
}

/** How texts are made smaller on their way; `identity` names none. */
export interface Encode {
  /** What never changes has a name, and is compressed once. */
  kept(name: string, bytes: Buffer, acceptEncoding: string | undefined): Promise<Encoded>
  /** What is asked for once. */
  now(bytes: Buffer, acceptEncoding: string | undefined): Encoded
}

interface Encoded {
  readonly encoding: string
  readonly bytes: Uint8Array
}

/** Lines are texts, and shrink to a third; hashes do not. */
const ENTRIES = 'tile/entries/'

const asItIs = (bytes: Uint8Array): Encoded => ({ encoding: 'identity', bytes })

/**
 * Serves the files of the public ledger as they are, and proofs that are made of them.
 * @param folder where they lie
 * @param encode makes texts smaller on their way; nothing does when missing
 */
export function serveLedger(folder: string, encode?: Encode): LedgerMount {
  /** @returns undefined where there is none */
  const answer = async (place: string, path: string, accepts: string | undefined) => {
    const [, what, number] = PROVED_PATH.exec(path) ?? []
    if (what !== undefined) {
      const text = await (what === 'proof' ? proveLine : proveGrowth)(
        { sha256, read: each => readPublished(place, each) },
        Number(number),
      )
      if (text === undefined) return undefined
      const bytes = Buffer.from(text)
      return { kind: 'checkpoint' as const, isText: true, sent: encode?.now(bytes, accepts) ?? asItIs(bytes) }
    }
    const bytes = await readPublished(place, path)
    if (bytes === undefined) return undefined
    const isText = path.startsWith(ENTRIES)
    const sent = isText ? await encode?.kept(join(place, path), bytes, accepts) : undefined
    return {
      kind: path === CHECKPOINT_PATH ? ('checkpoint' as const) : ('tile' as const),
      isText,
      sent: sent ?? asItIs(bytes),
    }
  }
  return {
    matches: pathname => pathname.startsWith(LEDGER_PATHS),
    isMade: pathname => PROVED_PATH.test(partsOf(pathname).path),
    async handle(request) {
      const { fork, path } = partsOf(new URL(request.url).pathname)
      if (!(path === CHECKPOINT_PATH || TILE_PATH.test(path) || PROVED_PATH.test(path))) return missing()
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const place = fork === undefined ? folder : `${folder}-${fork}`
      const found = await answer(place, path, request.headers.get('accept-encoding') ?? undefined)
      if (found === undefined) return missing()
      const { kind, isText, sent } = found
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

function partsOf(pathname: string): { readonly fork: string | undefined; readonly path: string } {
  const [, fork, path = ''] = FORK.exec(pathname.slice(LEDGER_PATHS.length))!
  return { fork, path }
}

/**
 * A file that is published. Where more lines have come since, a tile of an earlier head is the beginning of the one that is
 * there now: the head that covers it may be served for some seconds yet.
 */
async function readPublished(folder: string, path: string): Promise<Buffer | undefined> {
  const bytes = await readFileIn(folder, path)
  if (bytes !== undefined) return bytes
  const [, whole, width] = /^(.+)\.p\/(\d+)$/.exec(path) ?? []
  const now = whole === undefined ? undefined : await readFileIn(folder, whole)
  return now && beginningOf(now, path.startsWith(ENTRIES), Number(width))
}

/** The first of the entries or hashes of a whole tile; undefined where it has not so many. */
function beginningOf(tile: Buffer, isEntries: boolean, width: number): Buffer | undefined {
  if (width >= TILE_WIDTH) return undefined
  if (!isEntries) return tile.subarray(0, width * HASH_BYTES)
  return Buffer.from(bundleOf(entriesIn(tile, TILE_WIDTH).slice(0, width)))
}

const readFileIn = (folder: string, path: string): Promise<Buffer | undefined> =>
  readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR') return undefined
    throw error
  })

const missing = (): Response =>
  new Response('Not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
