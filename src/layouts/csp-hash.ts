import { createHash } from 'node:crypto'

/** The hash that a page's CSP must list to allow `text` inline: one of the site's own few scripts and styles. */
export function cspHash(text: string): `sha256-${string}` {
  const hash = hashes.get(text) ?? createHash('sha256').update(text).digest('base64')
  hashes.set(text, hash)
  return `sha256-${hash}`
}

const hashes = new Map<string, string>()
