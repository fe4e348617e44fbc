import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { quoted, settingsDocument } from '#server/platform/settings/document.ts'
import { SETTING_NAMES, type SettingName } from '#server/platform/settings/schema.ts'

export type Values = Readonly<Partial<Record<SettingName, string>>>

/** A random secret of 256 bits, in characters that need no quoting in files and shells. */
export const drawn = (): string => randomBytes(32).toString('base64url')

const KNOWN = new Set<string>(SETTING_NAMES)

/** Reads the settings file of a site: our settings, not those of other programs. */
export function readEnv(path: string): { readonly values: Values } {
  if (!existsSync(path)) return { values: {} }
  const found = Object.entries(parseEnv(readFileSync(path, 'utf8')))
  return { values: Object.fromEntries(found.filter(([name, value]) => KNOWN.has(name) && value?.trim())) }
}

/**
 * A settings file with these settings, and with those of other programs that stood in the one before: each line as it was, and
 * anew what Node reads from more than one line, or with `export` or spaces before the name.
 */
export function settingsText(values: Values, head: string, before = ''): string {
  const lines = before.split('\n')
  const others = Object.entries(parseEnv(before))
    .filter(([name]) => !KNOWN.has(name))
    .map(
      ([name, value = '']) =>
        lines.find(line => line.startsWith(`${name}=`) && parseEnv(line)[name] === value) ??
        `${name}=${quoted(value)}`,
    )
  return settingsDocument(values, head) + (others.length > 0 ? `\n${others.join('\n')}\n` : '')
}

/**
 * Writes the settings file, readable by its owner alone. The earlier file is kept beside it, and settings of other
 * programs stay in the file.
 * @returns where the earlier file is; undefined where there was none, or nothing changed
 */
export function writeEnv(path: string, values: Values, now: number): string | undefined {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const { values: earlier } = readEnv(path)
  const isSame = SETTING_NAMES.every(name => (values[name] ?? '') === (earlier[name] ?? ''))
  if (before !== undefined && isSame) return undefined
  const head =
    'The settings of this site, for its owner alone. `npm run ops -- doctor` looks at them; restart the site afterwards.'
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.part`
  writeFileSync(part, settingsText(values, head, before), { mode: 0o600, flush: true })
  let kept: string | undefined
  if (before !== undefined) {
    kept = `${path}.before-${new Date(now).toISOString().replace(/[:.]/g, '-')}`
    copyFileSync(path, kept)
  }
  renameSync(part, path)
  return kept
}
