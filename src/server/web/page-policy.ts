import { createHash } from 'node:crypto'
import type { Rendered } from './astro-handler.ts'
import { STRICT_POLICY } from './security-headers.ts'

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
    present.add(createHash('sha256').update(text).digest('base64'))
  }
  return given
    .replace(HASH, (token, hash: string) => (present.has(hash) ? token : ''))
    .replace(/\s*;\s*/g, '; ')
    .replace(/\s{2,}/g, ' ')
    .replace(/;\s*$/, '')
}
