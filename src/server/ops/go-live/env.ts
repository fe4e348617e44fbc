import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { settingsDocument } from '#server/platform/settings/document.ts'
import { SETTING_NAMES, type SettingName } from '#server/platform/settings/schema.ts'

export type Values = Readonly<Partial<Record<SettingName, string>>>

/** A random secret of 256 bits, in characters that need no quoting in files and shells. */
export const drawn = (): string => randomBytes(32).toString('base64url')

/** Reads the settings file of a site. @returns our settings, and the names of all others */
export function readEnv(path: string): { readonly values: Values; readonly others: readonly string[] } {
  if (!existsSync(path)) return { values: {}, others: [] }
  const found = parseEnv(readFileSync(path, 'utf8'))
  const known = new Set<string>(SETTING_NAMES)
  const values = Object.entries(found).filter(([name, value]) => known.has(name) && value?.trim())
  return { values: Object.fromEntries(values), others: Object.keys(found).filter(name => !known.has(name)) }
}

/**
 * Writes the settings file, readable by its owner alone. The earlier file is kept beside it, and settings of other
 * programs stay in the file.
 * @returns where the earlier file is; undefined where there was none, or nothing changed
 */
export function writeEnv(path: string, values: Values, now: number): string | undefined {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const { values: earlier, others } = readEnv(path)
  const isSame = SETTING_NAMES.every(name => (values[name] ?? '') === (earlier[name] ?? ''))
  if (before !== undefined && isSame) return undefined
  const rest =
    before === undefined
      ? []
      : before.split('\n').filter(line => others.some(name => line.startsWith(`${name}=`)))
  const head =
    'The settings of this site, for its owner alone. `npm run ops -- doctor` looks at them; restart the site afterwards.'
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.part`
  writeFileSync(part, settingsDocument(values, head) + (rest.length > 0 ? `\n${rest.join('\n')}\n` : ''), {
    mode: 0o600,
    flush: true,
  })
  let kept: string | undefined
  if (before !== undefined) {
    kept = `${path}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
    copyFileSync(path, kept)
  }
  renameSync(part, path)
  return kept
}
