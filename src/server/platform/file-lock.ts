import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const SQLITE_BUSY = 5

/** Did SQLite refuse because another one has the file? */
export const isBusy = (error: unknown): boolean => (error as { errcode?: number }).errcode === SQLITE_BUSY

/**
 * Lets one process at a time do something. The lock is SQLite's on an otherwise empty file: the system lets go of it
 * when its holder ends, however that ends.
 * @param file made where it is missing; its folder must be there
 * @returns what releases the lock, or undefined while another holds it
 */
export function tryFileLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return () => database.close()
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/**
 * Waits until no other process holds the lock.
 * @param file as in `tryFileLock`
 * @param onWaiting called once, where another one holds it
 * @returns what releases the lock
 */
export async function waitForFileLock(
  file: string,
  { lookEveryMs, onWaiting = () => {} }: { readonly lookEveryMs: number; readonly onWaiting?: () => void },
): Promise<() => void> {
  for (let told = false; ; told = true) {
    const release = tryFileLock(file)
    if (release) return release
    if (!told) onWaiting()
    await wait(lookEveryMs)
  }
}
