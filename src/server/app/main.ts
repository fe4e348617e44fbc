import { readFileSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NoContent } from '#server/modules/content/content.ts'
import { keptSecrets } from '#server/platform/generated-secrets.ts'
import { createLog } from '#server/platform/log.ts'
import { loadSettingsFile } from '#server/platform/settings/file.ts'
import { placeholdersIn } from '#server/platform/settings/placeholders.ts'
import { givenIn, readSettings, type Settings, SettingsError } from '#server/platform/settings.ts'
import { moveToLocalFolder } from './local-folder.ts'
import type { SiteOptions } from './site.ts'

/**
 * `npm start`, `npm run dev` and `npm run worker`. Reads the settings, then starts the site, or the work behind it alone,
 * and keeps it until a signal ends it.
 * A first SIGTERM or SIGINT lets requests in flight finish; a second one ends the process at once.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const isDevelopment = process.argv.includes('--dev')
const isWorker = process.argv.includes('--worker')
const log = createLog(line => process.stdout.write(line))

try {
  const settings = settingsOf(root)
  // The modules come from TypeScript: compiled once, they need less memory and start sooner. `npm start` names the same
  // folder before this file is read: where not even this file needs it, Node does not load its compiler, 15 MB.
  enableCompileCache(join(root, 'node_modules/.cache/server'))
  const { stop } = await begin({ root, settings, log })
  flushCompileCache()
  if (!isWorker) greet(settings)
  endOnSignals(stop)
} catch (error) {
  if (error instanceof SettingsError || error instanceof NoContent) process.stderr.write(`${error.message}\n`)
  else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    process.stderr.write(`${error.message}: another program listens there, set PORT to a free one\n`)
  } else log.error('start-failed', error)
  process.exitCode = 1
  process.exit()
}

async function begin(options: SiteOptions): Promise<{ stop(): Promise<void> }> {
  if (isWorker) return (await import('./worker.ts')).startWorker(options)
  return (await (isDevelopment ? import('./dev.ts') : import('./site.ts'))).startSite(options)
}

function settingsOf(folder: string): Settings {
  const file = loadSettingsFile(folder)
  const dataDir = process.env.DATA_DIR || '.data'
  moveToLocalFolder(dataDir)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return readSettings(process.env, { version, keepSecret: keptSecrets(dataDir), file })
}

function greet({ siteUrl, mail, stripe, studio, production }: Settings): void {
  const placeholders = production ? placeholdersIn(givenIn(process.env)) : []
  const lines = [
    `Site          ${siteUrl}`,
    studio && `Studio        ${siteUrl}/studio`,
    mail.kind === 'files' && `Mail inbox    ${siteUrl}/_local/mail`,
    !stripe && 'Test payment  card 4242 4242 4242 4242, any future date, any three digits',
    production && 'Settings      production',
    placeholders.length > 0 && `Examples      ${placeholders.join(', ')}: set your own`,
  ]
  process.stdout.write(
    `\n${lines
      .filter(Boolean)
      .map(line => `  ${line}\n`)
      .join('')}\n`,
  )
}

function endOnSignals(stop: () => Promise<void>): void {
  let ending = false
  const end = (): void => {
    if (ending) process.exit(1)
    ending = true
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stop-failed', error)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
