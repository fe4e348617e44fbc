import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tryFileLock } from '#server/platform/file-lock.ts'

const LOOK_AGAIN_MS = 500

/**
 * Waits until nobody else builds in this folder.
 * @param onWaiting called once, when somebody else is at it
 * @returns what releases the lock
 */
export async function acquireBuildLock(folder: string, onWaiting: () => void): Promise<() => void> {
  mkdirSync(folder, { recursive: true })
  for (let told = false; ; told = true) {
    const release = tryFileLock(join(folder, 'lock'))
    if (release) return release
    if (!told) onWaiting()
    await wait(LOOK_AGAIN_MS)
  }
}
