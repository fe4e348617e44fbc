import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'

/** What the lake does to a disk; tests put a full one in its place. */
export type Disk = Pick<
  typeof fs,
  'mkdir' | 'open' | 'readFile' | 'readdir' | 'rename' | 'rm' | 'stat' | 'utimes'
>

export const realDisk: Disk = fs

/** The contents of a file, or undefined when there is none. */
export async function readIfThere(disk: Disk, file: string): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Replaces a file whole: after a power cut it holds either the old content or the new. */
export async function writeWhole(disk: Disk, file: string, content: string | Uint8Array): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`
  try {
    const handle = await disk.open(draft, 'w')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await disk.rename(draft, file)
  } catch (error) {
    await disk.rm(draft, { force: true })
    throw error
  }
  await syncFolder(disk, dirname(file))
}

/** A new name lasts through a power cut only once its folder is on disk. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  const handle = await disk.open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Whether the disk has no room left, or may not take more from this user. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')

/**
 * What a folder that nothing can be written into fails with: the system's codes, and SQLite's for its own files. Node
 * says ENOENT of a folder that cannot be made on a read-only disk.
 */
const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT']
const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14

/** Says of a lake that could not be opened what its owner can do about it, where that is the folder's fault. */
export function aboutFolder(dir: string, error: unknown): unknown {
  const { code = '', errcode, message } = error as Partial<Error> & { code?: string; errcode?: number }
  if (!UNWRITABLE.includes(code) && errcode !== SQLITE_READONLY && errcode !== SQLITE_CANTOPEN) return error
  return new Error(
    `The folder of the content, ${dir}, cannot be written: ${message}. ` +
      'Let this user write there, or name another folder in DATA_DIR.',
    { cause: error },
  )
}
