import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'

// The HTTP front (src/server/web) stands before this build: it serves the files, keeps the published pages in
// memory and sets every header. See architecture §1.
export default defineConfig({
  output: 'server',
  // Nothing streams: a page that fails midway becomes the error page, not half a page.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true, bodySizeLimit: 64 * 1024 }),
  integrations: [react(), i18next()],
  trailingSlash: 'never',
  compressHTML: true,
  prefetch: false,
  session: false,
  devToolbar: { enabled: false },
  // Its colours are inline styles, which the policy forbids; no page shows code.
  markdown: { syntaxHighlight: false },
  build: { inlineStylesheets: 'always' },
  security: {
    // Our endpoints check origins themselves, for JSON and forms alike (architecture §10).
    checkOrigin: false,
    // Inline scripts and styles are allowed by their hash; everything else comes from our own origin.
    csp: {
      algorithm: 'SHA-256',
      directives: [
        "default-src 'none'",
        "base-uri 'none'",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
        "img-src 'self' data:",
        "manifest-src 'self'",
      ],
    },
  },
})
