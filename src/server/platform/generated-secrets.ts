import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a site without accounts keeps its secrets, its content, its mails and its test payments: no backup has it. */
export const localFolder = (dataDir: string): string => join(dataDir, 'local')

/** What lies there, in words. */
export const LOCAL_DATA = 'kept secrets, local content, mails as files, test payments'

export const KEPT_SECRETS = ['card-key-secret', 'webhook-secret', 'ledger-key']

/** Gives the secret of this name: made at the first call ever, the same one afterwards. */
export type KeepSecret = (name: string) => string

/**
 * Secrets that the embedded default makes for itself, one file each in the local folder, readable by its owner
 * only. Two processes that start at once agree on one secret: the first link wins.
 */
export function keptSecrets(dataDir: string): KeepSecret {
  const folder = localFolder(dataDir)
  return name => {
    const path = join(folder, name)
    const kept = readIfThere(path)
    if (kept) return kept
    for (const each of [dataDir, folder]) mkdirSync(each, { recursive: true, mode: 0o700 })
    const draft = `${path}.${process.pid}`
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
    try {
      linkSync(draft, path)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    } finally {
      rmSync(draft, { force: true })
    }
    return readFileSync(path, 'utf8').trim()
  }
}

/**
 * A secret that was made here before; none is made. undefined where there is none. One that an earlier version kept
 * beside the database is found as well, until the site starts.
 */
export const readKeptSecret = (dataDir: string, name: string): string | undefined =>
  readIfThere(join(localFolder(dataDir), name)) || readIfThere(join(dataDir, name)) || undefined

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
