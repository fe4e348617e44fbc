import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a test's own that can be filled to the last byte. */
export interface SmallDisk {
  readonly folder: string
  fill(): void
  empty(): void
  remove(): void
}

/** Only root may give a test a disk of its own. */
export const canHaveSmallDisk: boolean = process.getuid?.() === 0

const BALLAST = 'ballast'
const BLOCK = Buffer.alloc(64 * 1024, 1)

/** @throws Error where mounting is not allowed */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'gc-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  const ballast = join(folder, BALLAST)
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        // Ever smaller pieces, until not one byte more finds room.
        for (let size = BLOCK.length; size >= 1; ) {
          try {
            writeSync(file, BLOCK, 0, size)
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
            size = Math.floor(size / 2)
          }
        }
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
