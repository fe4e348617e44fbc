import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installFromDebian } from '#tests/support/debian.ts'

const PACKAGED = '/usr/lib/postgresql'

/**
 * The folder that holds `initdb` and `postgres`: the packaged ones, newest first, or one of PATH. As root, a
 * missing PostgreSQL is installed.
 * @throws Error with a sentence: the tests never go on with one database only
 */
export function postgresBinaries(): string {
  const found = search()
  if (found !== undefined) return found
  installFromDebian('postgresql')
  const installed = search()
  if (installed !== undefined) return installed
  throw new Error(
    'PostgreSQL is missing (no initdb and postgres in PATH or /usr/lib/postgresql): install it, the tests of the server run on both databases.',
  )
}

function search(): string | undefined {
  const folders = [...packagedFolders(), ...(process.env.PATH ?? '').split(delimiter)]
  return folders.find(
    folder => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres')),
  )
}

function packagedFolders(): string[] {
  try {
    const versions = readdirSync(PACKAGED).sort((a, b) => Number(b) - Number(a))
    return versions.map(version => join(PACKAGED, version, 'bin'))
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
