import { createHash } from 'node:crypto'

const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]+?)<\/script>/g

/** Where a hosted Studio has its content, its pictures and its sign-in. */
const HOSTED = {
  connect: 'https://*.sanity.io wss://*.sanity.io https://sanity-cdn.com https://*.sanity-cdn.com',
  pictures: 'https:',
}

/**
 * The policy of the Studio's page. It styles by script, so inline styles are allowed; of inline scripts only those
 * that its page holds. With local content it reaches this site and nobody else.
 */
export function studioPolicy(
  html: string,
  { siteUrl, hosted }: { siteUrl: string; hosted: boolean },
): string {
  const { host, protocol } = new URL(siteUrl)
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  // Not every browser takes 'self' to mean sockets too.
  const sockets = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  return [
    "default-src 'self'",
    ['script-src', "'self'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${hosted ? ` ${HOSTED.pictures}` : ''}`,
    "font-src 'self' data:",
    `connect-src 'self' ${sockets}${hosted ? ` ${HOSTED.connect}` : ''}`,
    "worker-src 'self' blob:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
