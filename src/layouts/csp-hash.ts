import { createHash } from 'node:crypto'

/** What a page's CSP must list for `text`, one of the site's own few, to be allowed inline. */
export function cspHash(text: string): `sha256-${string}` {
  const hash = hashes.get(text) ?? createHash('sha256').update(text).digest('base64')
  hashes.set(text, hash)
  return `sha256-${hash}`
}

const hashes = new Map<string, string>()
