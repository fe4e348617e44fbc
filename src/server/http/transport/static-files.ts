import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { lookup } from 'mrmime'
import { makeContent, type Prepared, prepare } from '#server/http/transport/prepared.ts'
import type { Compress } from './encodings.ts'
import { type HeaderPairs, WORKER_POLICY } from './security-headers.ts'

/** The types of text files, which are UTF-8 and whose Content-Type says so. */
const TEXT = /^text\/|^application\/(json|xml)$/

const WORKER_FILE = '/sw.js'
/** The one file that pages of others may have as a part of theirs (decision 119). */
const WIDGET_FILE = '/widget.js'
const FOR_OTHERS: HeaderPairs = [['Cross-Origin-Resource-Policy', 'cross-origin']]
/** File names below this path hold a hash of the content, so a file never changes. */
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
        // Browsers must ask for the worker each time; otherwise they would keep the worker of an earlier build.
        const own =
          path === WORKER_FILE
            ? { cacheControl: 'no-cache', policy: WORKER_POLICY }
            : { cacheControl, ...(path === WIDGET_FILE && { headers: FOR_OTHERS }) }
        return [path, prepare(content, own)] as const
      }),
  )
  return new Map(files)
}

/** By the file's extension. */
export function contentTypeOf(name: string): string {
  // mrmime does not know this extension.
  if (/\.ico$/i.test(name)) return 'image/x-icon'
  const type = lookup(name) ?? 'application/octet-stream'
  return TEXT.test(type) ? `${type}; charset=utf-8` : type
}
