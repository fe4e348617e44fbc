import { statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const ENOUGH_BYTES = 4 * 1024 ** 3

/**
 * Where files are made, synced and removed soonest: a test makes hundreds of them, and none cuts the power. The system's
 * temporary folder where the machine has no such place, or too little memory.
 */
export function folderInMemory(): string {
  // A run of all tests has a folder there already.
  if (tmpdir().startsWith(IN_MEMORY)) return tmpdir()
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // The folder may be allowed to hold more than the machine has free.
    return Math.min(bavail * bsize, freemem() / 2) >= ENOUGH_BYTES ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
