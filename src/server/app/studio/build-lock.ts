import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitForFileLock } from '#server/platform/file-lock.ts'

const LOOK_AGAIN_MS = 500

/**
 * Waits until no other process builds in this folder.
 * @param onWaiting called once, when another process is building
 * @returns the function that releases the lock
 */
export async function acquireBuildLock(folder: string, onWaiting: () => void): Promise<() => void> {
  mkdirSync(folder, { recursive: true })
  return waitForFileLock(join(folder, 'lock'), { lookEveryMs: LOOK_AGAIN_MS, onWaiting })
}
