import { readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { NoContent } from '#server/modules/content/content.ts'
import { OtherDatabase } from '#server/platform/db/sandbox.ts'
import { keptSecrets } from '#server/platform/generated-secrets.ts'
import { createLog } from '#server/platform/log.ts'
import { loadSettingsFile } from '#server/platform/settings/file.ts'
import { placeholdersIn } from '#server/platform/settings/placeholders.ts'
import { givenIn, readSettings, type Settings, SettingsError } from '#server/platform/settings.ts'
import { buildWhenNeeded } from './build.ts'
import { moveToLocalFolder } from './local-folder.ts'
import { loadServer } from './server-bundle.ts'
import type { SiteOptions } from './site.ts'

const isDevelopment = process.argv.includes('--dev')
const isWorker = process.argv.includes('--worker')
const log = createLog(line => process.stdout.write(line))

/** What is run. */
export interface Program {
  /** The project's folder. */
  readonly root: string
  /** Was the bundle made of these very sources? */
  readonly isBuilt: boolean
}

/**
 * Reads the settings, then starts the site, or the work behind it alone, and keeps it until a signal ends it. Where the
 * build is not of these sources, it is made, and run instead. A start that fails says why and ends the process.
 * A first SIGTERM or SIGINT lets requests in flight finish; a second one ends the process at once.
 */
export async function serve({ root, isBuilt }: Program): Promise<void> {
  try {
    const settings = settingsOf(root)
    if (!isBuilt && !isDevelopment) {
      await buildWhenNeeded(root)
      log.info('site-built')
      return await (await loadServer(root)).serve({ root, isBuilt: true })
    }
    const { stop } = await begin({ root, settings, log })
    flushCompileCache()
    if (!isWorker) greet(settings)
    endOnSignals(stop)
  } catch (error) {
    if (isExplained(error)) process.stderr.write(`${error.message}\n`)
    else if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      process.stderr.write(`${error.message}: another program listens there, set PORT to a free one\n`)
    } else log.error('start-failed', error)
    process.exitCode = 1
    process.exit()
  }
}

/** Is it something of the operator's, whose words say what to do? */
function isExplained(error: unknown): error is Error {
  return [SettingsError, NoContent, OtherDatabase].some(kind => error instanceof kind)
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

function greet({ siteUrl, mail, stripe, studio, production, sandbox }: Settings): void {
  const placeholders = production ? placeholdersIn(givenIn(process.env)) : []
  const lines = [
    `Site          ${siteUrl}`,
    sandbox && 'Sandbox       nothing here is worth money',
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
