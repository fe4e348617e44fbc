import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'
import { pageScripts } from './src/layouts/page-script-plugin.ts'
import { serviceWorker } from './src/layouts/service-worker-integration.ts'
import { linkPreviews } from './src/server/modules/story/previews/integration.ts'

// The HTTP front (src/server/http) stands before this build: it serves the files, keeps the published pages in
// memory and sets every header. See ARCHITECTURE.md.
export default defineConfig({
  output: 'server',
  // Nothing streams: a page that fails midway becomes the error page, not half a page.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true, bodySizeLimit: 64 * 1024 }),
  integrations: [react(), i18next(), linkPreviews(), serviceWorker()],
  trailingSlash: 'never',
  compressHTML: true,
  prefetch: false,
  session: false,
  devToolbar: { enabled: false },
  // Its colours are inline styles, which the policy forbids; no page shows code.
  markdown: { syntaxHighlight: false },
  build: { inlineStylesheets: 'always' },
  security: {
    // Our endpoints check origins themselves, for JSON and forms alike (docs/product.md#responses).
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
        "worker-src 'self'",
      ],
    },
  },
  vite: {
    plugins: [pageScripts(), browserBundle()],
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Few files, since each costs a request and its headers: React; what the recipient's list shares with
              // the buyer's steps; what these share. Screens without React have none of them: their scripts are in
              // the page, and what they fetch later is a file of its own (layouts/page-script-plugin.ts).
              codeSplitting: {
                groups: [
                  {
                    name: 'react',
                    priority: 4,
                    test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react|@nanostores\/react)\/|rolldown[/-]runtime/,
                  },
                  {
                    // What the recipient's list needs as well: without the buyer's choices behind it.
                    name: 'money',
                    priority: 2,
                    minShareCount: 2,
                    test: /src\/(domain\/(money\/|language-tags)|screens\/shared\/kit\/fill|wire\/(client|api-paths|markers))/,
                  },
                  {
                    name: 'steps',
                    priority: 1,
                    minShareCount: 2,
                    test: /node_modules\/nanostores\/|src\/(domain|paths|wire|screens\/(?!shared\/(drafts|shell)\/|.*\.css))/,
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
})

/**
 * What Astro leaves no setting for. Islands come before the scripts of plain screens: only then does the bundler keep
 * its own few helpers, which React alone needs, in React's file; otherwise each island costs one request more. Constants,
 * such as the names of storage entries, stand where they are used, so that no screen fetches those of the others.
 */
function browserBundle() {
  const isIsland = file => file.includes('.island.')
  return {
    name: 'browser-bundle',
    applyToEnvironment: environment => environment.name === 'client',
    options: options =>
      Array.isArray(options.input) && {
        ...options,
        input: options.input.toSorted((a, b) => Number(isIsland(b)) - Number(isIsland(a))),
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
      },
  }
}
