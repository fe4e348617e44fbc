import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tryFileLock } from '#server/platform/file-lock.ts'

const LOOK_AGAIN_MS = 500

/**
 * Waits until no other process builds in this folder.
 * @param onWaiting called once, when another process is building
 * @returns the function that releases the lock
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
