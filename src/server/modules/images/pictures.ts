import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  assetFile,
  PICTURE_FORMATS,
  PICTURE_WIDTHS,
  type Picture,
  type PictureFormat,
  pictureName,
} from '#domain/images/picture.ts'
import { PICTURE_PATHS } from '#paths'
import type { ReadAsset } from '#server/modules/content/assets.ts'
import { readIfThere } from '#server/platform/files.ts'
import type { Log } from '#server/platform/log.ts'

export interface PicturesParts {
  /** Where made pictures are kept. */
  readonly dir: string
  readonly readAsset: ReadAsset
  /** The pictures of the published content; no other is ever made. */
  readonly published: () => readonly Picture[]
  readonly log: Log
}

export interface Pictures {
  matches(pathname: string): boolean
  /** GET and HEAD of `/images/{name}-{width}.{format}`; 404 for whatever the site itself does not link to. */
  handle(request: Request): Promise<Response>
}

const TYPES = { avif: 'image/avif', webp: 'image/webp', jpg: 'image/jpeg' } as const
const PATH = new RegExp(
  `^${PICTURE_PATHS}(?<name>[0-9a-f]{40}(?:-\\d{1,4}){0,4})-(?<width>${PICTURE_WIDTHS.join('|')})\\.(?<format>${PICTURE_FORMATS.join('|')})$`,
)
/** Waiting for the one that is being made; more than this are asked to come back. */
const MOST_WAITING = 60

/**
 * Sends the content's pictures from the site's own address, in the formats and widths that its pages name: each made
 * once, one at a time, and kept on disk. An address holds the hash of the bytes and the crop, so it never changes
 * its meaning.
 */
export function createPictures({ dir, readAsset, published, log }: PicturesParts): Pictures {
  const making = new Map<string, Promise<Buffer>>()
  let turn: Promise<unknown> = Promise.resolve()

  function find(pathname: string) {
    const { name, width, format } = PATH.exec(pathname)?.groups ?? {}
    const picture = published().find(each => pictureName(each) === name)
    return picture && { picture, width: Number(width), format: format as PictureFormat }
  }

  async function made(file: string, found: NonNullable<ReturnType<typeof find>>): Promise<Buffer> {
    const known = making.get(file) ?? (await readIfThere(join(dir, file)))
    if (known) return known
    const again = making.get(file)
    if (again) return again
    if (making.size >= MOST_WAITING) throw new Busy()
    const work = turn.then(() => make(file, found))
    turn = work.catch(() => {})
    making.set(file, work)
    return work.finally(() => making.delete(file))
  }

  async function make(
    file: string,
    { picture, width, format }: NonNullable<ReturnType<typeof find>>,
  ): Promise<Buffer> {
    // Loaded with the first picture: it is much memory for a site that shows none.
    const { encodePicture } = await import('./encode.ts')
    const bytes = await encodePicture(await readAsset(assetFile(picture)), picture, { width, format })
    // Keeping it only saves work: a full disk must not keep it from being seen.
    await keep(file, bytes).catch((error: unknown) => log.error('picture-not-kept', error))
    return bytes
  }

  async function keep(file: string, bytes: Buffer): Promise<void> {
    await mkdir(dir, { recursive: true })
    const draft = join(dir, `${file}.${process.pid}.tmp`)
    await writeFile(draft, bytes)
    await rename(draft, join(dir, file))
    await forgetUnpublished()
  }

  /** Pictures that are no longer published are deleted. */
  async function forgetUnpublished(): Promise<void> {
    const names = new Set(published().map(pictureName))
    const files = await readdir(dir)
    if (files.length <= names.size * PICTURE_WIDTHS.length * PICTURE_FORMATS.length) return
    const gone = files.filter(file => !names.has(file.replace(/-\d+\.\w+$/, '')) && !file.endsWith('.tmp'))
    await Promise.all(gone.map(file => rm(join(dir, file), { force: true })))
  }

  return {
    // What lies deeper is the local Content Lake's own.
    matches: pathname => pathname.startsWith(PICTURE_PATHS) && !pathname.includes('/', PICTURE_PATHS.length),
    async handle(request) {
      const found = find(new URL(request.url).pathname)
      if (!found)
        return new Response('Not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
      const file = `${pictureName(found.picture)}-${found.width}.${found.format}`
      try {
        const bytes = await made(file, found)
        return new Response(new Uint8Array(bytes), {
          headers: {
            'content-type': TYPES[found.format],
            'content-length': String(bytes.length),
            'cache-control': 'public, max-age=31536000, immutable',
          },
        })
      } catch (error) {
        if (!(error instanceof Busy)) log.error('picture-not-made', error, { file })
        return new Response(null, {
          status: 503,
          headers: { 'retry-after': '5', 'cache-control': 'no-store' },
        })
      }
    },
  }
}

class Busy extends Error {}
