import { createHash } from 'node:crypto'

const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]+?)<\/script>/g

/** The hosts of a hosted Studio's content, pictures and sign-in. */
const HOSTED = {
  connect: 'https://*.sanity.io wss://*.sanity.io https://sanity-cdn.com https://*.sanity-cdn.com',
  pictures: 'https:',
}

/**
 * The policy of the Studio's page. Inline styles are allowed, since the Studio sets styles by script. Only the inline
 * scripts of the page itself are allowed. With local content the Studio reaches this site alone.
 */
export function studioPolicy(
  html: string,
  { siteUrl, hosted }: { siteUrl: string; hosted: boolean },
): string {
  const { host, protocol } = new URL(siteUrl)
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  // In some browsers 'self' does not include WebSockets.
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
