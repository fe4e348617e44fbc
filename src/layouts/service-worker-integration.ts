import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { build, type Rolldown } from 'vite'
import { SERVICE_WORKER_PATH } from '#paths'
import { keptPages } from '#screens/offline/handling.ts'

const SOURCE = fileURLToPath(new URL('../screens/offline/service-worker.ts', import.meta.url))

/** At the end of a build, makes the service worker as one file at an address that never changes. */
export function serviceWorker(): AstroIntegration {
  let folder: URL
  return {
    name: 'service-worker',
    hooks: {
      'astro:config:done': ({ config }) => {
        folder = config.build.client
      },
      'astro:build:done': async () => {
        await writeFile(
          fileURLToPath(new URL(`.${SERVICE_WORKER_PATH}`, folder)),
          await bundle(await buildOf(folder)),
        )
      },
    },
  }
}

/** The names of the site's files hold digests of their contents, so all names together identify the build. */
async function buildOf(folder: URL): Promise<string> {
  const names = await readdir(new URL('_astro/', folder))
  return createHash('sha256').update(names.sort().join()).digest('hex').slice(0, 12)
}

async function bundle(id: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { BUILD: JSON.stringify(id), KEPT: JSON.stringify(keptPages()) },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: SOURCE, output: { format: 'iife' } },
    },
  })
  return ([built].flat()[0] as Rolldown.RolldownOutput).output[0].code
}
