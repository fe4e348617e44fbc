import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly version?: string; readonly optional?: boolean }>>
}

/** Do the installed packages match the lock file? npm notes what it installed when it has finished. */
export async function isInstalled(folder: string): Promise<boolean> {
  const [wanted, there] = await Promise.all([
    readLock(join(folder, 'package-lock.json')),
    readLock(join(folder, 'node_modules/.package-lock.json')),
  ])
  if (!wanted?.packages || !there?.packages) return false
  const found = there.packages
  return Object.entries(wanted.packages).every(
    ([path, { version, optional }]) =>
      path === '' || found[path]?.version === version || (optional === true && found[path] === undefined),
  )
}

async function readLock(file: string): Promise<Lock | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Lock
  } catch {
    return undefined
  }
}
