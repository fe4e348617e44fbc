import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { AssetKind, Assets } from './assets.ts'
import { type Disk, readIfThere, writeWhole } from './disk.ts'
import { refusal } from './errors.ts'
import { type Format, formatOf, readTransform, type Transform } from './transforms.ts'

/** Sends kept files: as they are, or as pictures of other sizes and formats, each made once. */
export interface AssetServer {
  /** @param name as in the address: `{hash}-{width}x{height}.{extension}` */
  serve(kind: AssetKind, name: string, url: URL, accept: string): Promise<Response>
}

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  tiff: 'image/tiff',
  pdf: 'application/pdf',
}

/** Pictures that wait to be made. */
const MOST_WAITING = 200

/** More made pictures than this are forgotten, the oldest first; each can be made again. */
const MOST_MADE = 2_000

export function createAssetServer({
  assets,
  dir,
  disk,
}: {
  assets: Assets
  dir: string
  disk: Disk
}): AssetServer {
  const made = join(dir, 'transforms')
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function serve(kind: AssetKind, name: string, url: URL, accept: string): Promise<Response> {
    const asked = url.searchParams
    const extension = name.split('.').at(-1) as string
    if (kind === 'image' && asked.get('fm') === 'json')
      return inTurn(async () => jsonOf(await original(kind, name)))
    const transform =
      kind === 'image' && (await assets.has(kind, name)) ? readTransform(asked, accept) : undefined
    const sent = transform
      ? await pictureOf(name, transform, extension)
      : { bytes: await original(kind, name), format: extension }
    return answerOf({ ...sent, name, download: asked.get('dl') })
  }

  async function original(kind: AssetKind, name: string): Promise<Buffer> {
    const bytes = await assets.read(kind, name)
    if (!bytes) throw refusal(404, 'There is no such file')
    return bytes
  }

  /** One at a time, which reads its original when its turn has come: neither time nor memory is the site's. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= MOST_WAITING)
      return Promise.reject(refusal(503, 'Too many pictures are asked for: try again in a moment'))
    waiting++
    const making = turn.then(work).finally(() => waiting--)
    turn = making.catch(() => {})
    return making
  }

  async function pictureOf(name: string, transform: Transform, extension: string) {
    const format = formatOf(transform, extension)
    const key = createHash('sha1').update(JSON.stringify(transform)).digest('hex').slice(0, 16)
    const file = join(made, `${name.replace('.', '-')}-${key}.${format}`)
    const kept = await readIfThere(disk, file)
    if (kept) return { bytes: kept, format }
    return inTurn(async () => ({
      bytes:
        (await readIfThere(disk, file)) ??
        (await make(file, await original('image', name), transform, format)),
      format,
    }))
  }

  async function make(file: string, bytes: Buffer, transform: Transform, format: Format): Promise<Buffer> {
    const { transformed } = await import('./pictures.ts')
    const picture = await transformed(bytes, transform, format).catch((error: unknown) => {
      throw refusal(400, `This picture cannot be made: ${error instanceof Error ? error.message : error}`)
    })
    // Keeping it only saves work: a full disk must not keep it from being seen.
    await keep(file, picture).catch(() => {})
    return picture
  }

  async function keep(file: string, bytes: Buffer): Promise<void> {
    await disk.mkdir(made, { recursive: true })
    await writeWhole(disk, file, bytes)
    const names = await disk.readdir(made)
    if (names.length <= MOST_MADE) return
    const aged = await Promise.all(
      names.map(async each => ({ each, at: (await disk.stat(join(made, each))).mtimeMs })),
    )
    const old = aged.toSorted((one, other) => one.at - other.at).slice(0, MOST_MADE / 10)
    await Promise.all(old.map(({ each }) => disk.rm(join(made, each), { force: true })))
  }

  return { serve }
}

async function jsonOf(bytes: Buffer): Promise<Response> {
  const { factsOf } = await import('./images.ts')
  const { width, height, extension } = await factsOf(bytes)
  return Response.json({ width, height, type: extension, length: bytes.length })
}

/** Never as a page of the site: an uploaded file may hold scripts. */
function answerOf(sent: { bytes: Buffer; format: string; name: string; download: string | null }): Response {
  const { bytes, format, name, download } = sent
  const type = TYPES[format]
  const asDownload = download !== null || !type
  const filename = (download || name).replace(/[^\w.-]+/g, '_')
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      vary: 'Accept',
      ...(asDownload ? { 'content-disposition': `attachment; filename="${filename}"` } : {}),
    },
  })
}
