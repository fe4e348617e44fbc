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
              // Few files, since each costs a request and its headers: React with what every island has; what the buyer's
              // islands keep in the browser; the pages after a payment; the steps before it. Screens without React have
              // none of them: their scripts are in the page, and what they fetch later is a file of its own
              // (layouts/page-script-plugin.ts).
              codeSplitting: {
                groups: [
                  {
                    // The recipient's list needs this and nothing else of the shared files.
                    name: 'renderer',
                    priority: 4,
                    test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react|@nanostores\/react)\/|rolldown[/-]runtime|src\/(domain\/(money\/(?!allocate)|campaign\/share|language-tags|problems|text\/fill-text)|screens\/shared\/kit\/fill|wire\/(client|api-paths|markers))/,
                  },
                  {
                    name: 'kept',
                    priority: 3,
                    minShareCount: 2,
                    test: /node_modules\/nanostores\/|src\/(paths|domain\/(languages|themes|sender\/gift-kinds)|wire\/volunteering-client|screens\/shared\/(storage|kit|choices\/(choice|currency|fallback))\b(?!.*\.css))/,
                  },
                  {
                    name: 'after-payment',
                    priority: 2,
                    minShareCount: 2,
                    test: /src\/(domain\/(dates|envelope|mail\/|payment\/)|screens\/shared\/(share|payment\/(AfterPayment|GiftInHand|LinksByMail|MailStatus|after-payment\.store|asking|paid-gifts|session-id))(?!.*\.css))/,
                  },
                  {
                    name: 'steps',
                    priority: 1,
                    minShareCount: 2,
                    test: /src\/(domain|wire|screens\/(?!shared\/(drafts|shell)\/|.*\.css))/,
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
    generateBundle: (_, bundle) => joinRenderer(bundle),
  }
}

/**
 * Astro starts an island by a file of its own, which only names what React's file holds. React's file takes its place:
 * each island then costs one request less, with its headers. The name keeps its hash, which React's own name is part of:
 * whoever changes what is put together here renames the group, since browsers keep such files for a year.
 */
function joinRenderer(bundle) {
  for (const door of Object.values(bundle)) {
    const [, inside, name] = DOOR.exec(door.code ?? '') ?? []
    const held = bundle[`_astro/${name}`]
    const [, local] =
      new RegExp(`[{,](\\w+) as ${inside}[,}]`).exec(
        held?.code.slice(held.code.lastIndexOf('export{')) ?? '',
      ) ?? []
    if (!door.fileName?.startsWith('_astro/client.') || local === undefined) continue
    door.code = `${held.code.trimEnd().replace(/;?$/, ';')}export{${local} as default};`
    delete bundle[held.fileName]
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(`"./${name}"`, `"./${door.fileName.slice('_astro/'.length)}"`)
  }
}

const DOOR = /^export\{(\w+) as default\}from"\.\/([^"]+)";\s*$/
