import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import type { AstroIntegration } from 'astro'
import { build } from 'vite'
import { writeInOneByte } from './one-byte-code.ts'
import { SERVER_BUNDLE } from './server-bundle.ts'

const SOURCE = 'src/server/app/serve.ts'

/** Packages of many small files. What they need goes with them; every other package is loaded as it was installed. */
const TAKEN_IN = [
  '@noble/curves',
  '@noble/ed25519',
  '@noble/hashes',
  '@sanity/client',
  'cookie',
  'csv-parse',
  'csv-stringify',
  'kysely',
  'stripe',
  'zod',
]

/** At the end of a build, puts the server and its packages of many files together: a start then opens few files. */
export function serverBundle(): AstroIntegration {
  return {
    name: 'server-bundle',
    hooks: {
      'astro:build:done': async () => {
        await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          plugins: [ownPlaces(join(process.cwd(), SERVER_BUNDLE.folder))],
          ssr: { noExternal: true },
          build: {
            ssr: true,
            outDir: SERVER_BUNDLE.folder,
            target: 'esnext',
            // Whoever reads a stack finds the names of the source.
            minify: false,
            rolldownOptions: {
              input: { [SERVER_BUNDLE.entry]: SOURCE },
              external: isLeftOut,
              output: {
                entryFileNames: '[name].mjs',
                chunkFileNames: '[name]-[hash].mjs',
                comments: false,
              },
            },
          },
        })
        await Promise.all(['dist/server', SERVER_BUNDLE.folder].map(writeInOneByte))
      },
    },
  }
}

/** @param by the file that imports it */
function isLeftOut(id: string, by: string | undefined): boolean {
  // No real site runs a stand-in: each is loaded as its source, by its name, which a test may give something else.
  if (isBuiltin(id) || id.startsWith('#stand-ins/')) return true
  // What requests go out by is one for all, so that whatever is loaded before can lead them elsewhere.
  if (id === 'undici') return true
  const isPackage = !/^[./#\0]/.test(id)
  const isOurs = !by?.includes('/node_modules/')
  return isPackage && isOurs && !TAKEN_IN.some(name => id === name || id.startsWith(`${name}/`))
}

/** A module of ours that looks for files beside itself goes on looking there. */
function ownPlaces(folder: string) {
  return {
    name: 'own-places',
    transform(code: string, id: string) {
      if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return
      const here = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`
      return { code: code.replaceAll('import.meta.url', here), map: null }
    },
  }
}
