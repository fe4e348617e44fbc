import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { makeContent, type Prepared, prepare } from '#server/http/transport/prepared.ts'
import type { Compress } from './encodings.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

/** Names under here carry a hash of their content, so they never change. */
const HASHED = '/_astro/'

/** Files by URL path, held in memory and compressed: a request is a look-up, so no path can lead outside. */
export type StaticFiles = ReadonlyMap<string, Prepared>

/** Reads every file below a folder (the build's client folder, which holds `public/` too). */
export async function loadStaticFiles(folder: string, compress?: Compress): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(async entry => {
        const file = join(entry.parentPath, entry.name)
        const path = `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`
        const content = await makeContent(await readFile(file), contentTypeOf(entry.name), compress)
        const cacheControl = path.startsWith(HASHED)
          ? 'public, max-age=31536000, immutable'
          : 'public, max-age=3600'
        return [path, prepare(content, { cacheControl })] as const
      }),
  )
  return new Map(files)
}

/** By the file's extension. */
export function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
}
