import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Compress, compressQuickly } from '#server/http/transport/encodings.ts'
import { makeContent, type Prepared, prepare } from '#server/http/transport/prepared.ts'
import { contentTypeOf } from '#server/http/transport/static-files.ts'
import { studioPolicy } from './policy.ts'

/** The files of a built Studio. */
export interface BuiltStudio {
  /** The file at this path. Every other path below `/studio` gives the Studio's page, which routes by itself. */
  find(pathname: string): Promise<Prepared | undefined>
}

const BASE = '/studio'
/** Sanity's own template writes the addresses of icons and the manifest without the base path. */
const WITHOUT_BASE = '/static/'
const PAGE = 'index.html'
const FOREVER = 'public, max-age=31536000, immutable'
/** Names with a hash in them: `sanity-BxY12_3c.js`. */
const HASHED = /-[\w-]{8,}\.\w+$/

/**
 * Serves a folder of built files. Each is read and compressed at its first request and then kept in memory, since only
 * the operator needs them, and on most servers nobody does.
 * @param folder must not change meanwhile
 */
export async function openBuilt(
  folder: string,
  { siteUrl, hosted, compress = compressQuickly }: { siteUrl: string; hosted: boolean; compress?: Compress },
): Promise<BuiltStudio> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const names = new Set(
    entries
      .filter(entry => entry.isFile())
      .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
  if (!names.has(PAGE)) throw new Error(`${folder} holds no ${PAGE}: this is no built Studio`)
  const held = new Map<string, Promise<Prepared>>()

  async function read(name: string): Promise<Prepared> {
    const bytes = await readFile(join(folder, name))
    const content = await makeContent(bytes, contentTypeOf(name), compress)
    return name === PAGE
      ? prepare(content, {
          cacheControl: 'private, no-cache',
          policy: studioPolicy(bytes.toString('utf8'), { siteUrl, hosted }),
          headers: [['X-Robots-Tag', 'noindex']],
        })
      : prepare(content, { cacheControl: HASHED.test(name) ? FOREVER : 'private, no-cache' })
  }

  function hold(name: string): Promise<Prepared> {
    const known = held.get(name)
    if (known) return known
    const reading = read(name)
    held.set(name, reading)
    reading.catch(() => held.delete(name))
    return reading
  }

  return {
    async find(pathname) {
      const name = pathname.startsWith(WITHOUT_BASE) ? pathname.slice(1) : pathname.slice(BASE.length + 1)
      if (names.has(name) && name !== PAGE) return hold(name)
      return name.startsWith('static/') ? undefined : hold(PAGE)
    },
  }
}
