import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { STRICT_POLICY } from '#server/http/transport/security-headers.ts'
import type { Rendered } from './astro-handler.ts'

const HASH = /\s'sha256-([A-Za-z0-9+/=]+)'/g
const INLINE = /<(?:script|style)\b[^>]*>([^<][\s\S]*?)<\/(?:script|style)>/g

/**
 * The policy of a rendered page. Astro allows every inline script and style of the whole site in it; only those
 * that stand in this page are kept, which is stricter and some kilobytes shorter. Nothing is ever added: an inline
 * script that Astro does not know stays forbidden.
 */
export function pagePolicy(rendered: Rendered): string {
  const given = rendered.headers['content-security-policy']
  if (typeof given !== 'string') return STRICT_POLICY
  const present = new Set<string>()
  for (const [, text = ''] of rendered.body.toString('utf8').matchAll(INLINE)) {
    present.add(hashOf(text))
  }
  const key = [...present, given].join(' ')
  return policies(key, () => policyWith(given, present))
}

function policyWith(given: string, present: ReadonlySet<string>): string {
  return given
    .replace(HASH, (token, hash: string) => (present.has(hash) ? token : ''))
    .replace(/\s*;\s*/g, '; ')
    .replace(/\s{2,}/g, ' ')
    .replace(/;\s*$/, '')
}

// All pages of one kind hold the same few scripts and styles.
const policies = remembering()
const hashes = remembering()
const hashOf = (text: string): string =>
  hashes(text, () => createHash('sha256').update(text).digest('base64'))

/**
 * Works out a text's value once and remembers it for the texts seen last. The remembered text is a copy: a substring
 * of a page would keep the whole page in memory.
 */
function remembering(): (text: string, make: () => string) => string {
  const known = new LRUCache<string, string>({ max: 500 })
  return (text, make) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make()
    known.set(Buffer.from(text).toString(), made)
    return made
  }
}
