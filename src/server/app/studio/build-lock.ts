import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_AGAIN_MS = 500
const SQLITE_BUSY = 5

/**
 * Waits until nobody else builds in this folder. The lock is SQLite's on an otherwise empty file: the system lets
 * go of it when its holder ends, however that ends.
 * @param onWaiting called once, when somebody else is at it
 * @returns what lets go of it
 */
export async function acquireBuildLock(folder: string, onWaiting: () => void): Promise<() => void> {
  mkdirSync(folder, { recursive: true })
  for (let told = false; ; told = true) {
    const release = tryLock(join(folder, 'lock'))
    if (release) return release
    if (!told) onWaiting()
    await wait(LOOK_AGAIN_MS)
  }
}

function tryLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
    return () => database.close()
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}
