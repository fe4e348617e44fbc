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

  async function serve(kind: AssetKind, name: string, url: URL, accept: string): Promise<Response> {
    const bytes = await assets.read(kind, name)
    if (!bytes) throw refusal(404, 'There is no such file')
    const extension = name.split('.').at(-1) as string
    if (kind === 'image' && url.searchParams.get('fm') === 'json') return jsonOf(bytes)
    const transform = kind === 'image' ? readTransform(url.searchParams, accept) : undefined
    const sent = transform ? await pictureOf(name, bytes, transform, extension) : { bytes, format: extension }
    return answerOf({ ...sent, name, download: url.searchParams.get('dl') })
  }

  async function pictureOf(name: string, bytes: Buffer, transform: Transform, extension: string) {
    const format = formatOf(transform, extension)
    const key = createHash('sha1').update(JSON.stringify(transform)).digest('hex').slice(0, 16)
    const file = join(made, `${name.replace('.', '-')}-${key}.${format}`)
    const kept = await readIfThere(disk, file)
    if (kept) return { bytes: kept, format }
    // One at a time: pictures must not starve the site.
    const making = turn.then(async () => {
      return {
        bytes: (await readIfThere(disk, file)) ?? (await make(file, bytes, transform, format)),
        format,
      }
    })
    turn = making.catch(() => {})
    return making
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
