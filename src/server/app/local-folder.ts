import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { KEPT_SECRETS, localFolder } from '#server/platform/generated-secrets.ts'
import { SettingsError } from '#server/platform/settings.ts'

/** The names that earlier versions kept beside the database: the data of the stand-ins, and mails as files. */
const OF_STAND_INS = [
  'content',
  'mail',
  'payments-double.sqlite',
  'payments-double.sqlite-wal',
  'payments-double.sqlite-shm',
]

/**
 * Moves what an earlier version kept beside the database to `local/`, before anything opens it. Each name is moved by
 * one rename, so the next start goes on after a crash.
 * @throws SettingsError where both places have the same name, since only the operator knows which one counts
 */
export function moveToLocalFolder(dataDir: string): void {
  const there = [...KEPT_SECRETS, ...OF_STAND_INS].filter(name => existsSync(join(dataDir, name)))
  if (there.length === 0) return
  const local = localFolder(dataDir)
  mkdirSync(local, { recursive: true, mode: 0o700 })
  const twice = there.filter(name => !move(join(dataDir, name), join(local, name)))
  for (const folder of [local, dataDir]) flush(folder)
  if (twice.length > 0) {
    throw new SettingsError(
      twice.map(name => `${join(dataDir, name)} is in ${local} too: remove the one that does not count`),
    )
  }
}

/** Moves one name. @returns false where the target exists with another content */
function move(from: string, to: string): boolean {
  if (!existsSync(to)) {
    try {
      renameSync(from, to)
    } catch (error) {
      // Another process that starts at the same time has moved it.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
    return true
  }
  const isSame = KEPT_SECRETS.some(name => from.endsWith(name)) && sameText(from, to)
  if (isSame) rmSync(from)
  return isSame
}

const sameText = (one: string, other: string): boolean =>
  readFileSync(one, 'utf8').trim() === readFileSync(other, 'utf8').trim()

function flush(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
