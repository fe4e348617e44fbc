import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** The file that holds the settings. */
export interface SettingsFile {
  readonly path: string
  /** Every name that stands in it, ours or not. */
  readonly names: readonly string[]
}

/**
 * Reads the settings file of a folder into the environment; what is there already is not changed.
 * @returns undefined where there is no such file
 */
export function loadSettingsFile(folder: string): SettingsFile | undefined {
  const path = resolve(join(folder, '.env'))
  if (!existsSync(path)) return undefined
  process.loadEnvFile(path)
  return { path, names: Object.keys(parseEnv(readFileSync(path, 'utf8'))) }
}
