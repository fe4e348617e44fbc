import node from '@astrojs/node'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import i18next from 'astro-i18next'
import { islandStarter, joinIslands } from './src/layouts/islands-plugin.ts'
import { pageScripts } from './src/layouts/page-script-plugin.ts'
import { reactModules } from './src/layouts/react-plugin.ts'
import { serviceWorker } from './src/layouts/service-worker-integration.ts'
import { serverBundle } from './src/server/app/server-bundle-integration.ts'
import { linkPreviews } from './src/server/modules/story/previews/integration.ts'

// The HTTP front (src/server/http) stands before this build: it serves the files, keeps the published pages in
// memory and sets every header. See ARCHITECTURE.md.
export default defineConfig({
  output: 'server',
  // Nothing streams: a page that fails midway becomes the error page, not half a page.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true, bodySizeLimit: 64 * 1024 }),
  integrations: [react(), i18next(), linkPreviews(), serviceWorker(), serverBundle()],
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
    // Packages of many small files, which a start would open one by one.
    ssr: { noExternal: ['csv-parse', 'devalue', 'nanostores', 'zod'] },
    plugins: [pageScripts(), islandStarter(), reactModules(), browserBundle()],
    environments: {
      ssr: { build: { rolldownOptions: { output: { comments: false } } } },
      client: {
        build: {
          rolldownOptions: {
            output: {
              // React with its renderer is a file of its own, which every island asks for; what else islands share is put
              // into each (joinIslands). Screens without React have neither: their scripts are in the page, and what they
              // fetch later is a file of its own (layouts/page-script-plugin.ts).
              codeSplitting: {
                groups: [
                  {
                    name: 'renderer',
                    test: /node_modules\/(react|react-dom|scheduler|@astrojs\/react)\/|screens\/shared\/shell\/renderer|rolldown[/-]runtime/,
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
    async generateBundle(_, bundle) {
      const renderer = joinRenderer(bundle)
      if (renderer !== undefined) await joinIslands(bundle, renderer)
    },
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
    return door.fileName
  }
  return undefined
}

const DOOR = /^export\{(\w+) as default\}from"\.\/([^"]+)";\s*$/
