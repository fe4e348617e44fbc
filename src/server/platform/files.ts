import { randomUUID } from 'node:crypto'
import { access, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file as a whole: even after a power cut it holds the old content or the new. Only its owner may read it.
 * @param file in a folder that exists; a crash leaves at most a `.part` beside it
 */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const part = `${file}.${randomUUID()}.part`
  try {
    const handle = await open(part, 'w', 0o600)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await renameForGood(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Gives a file that is on disk its name; that lasts through a power cut only once the folder itself is on disk. */
export async function renameForGood(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Puts the names of a folder on disk: what was made or renamed in it is there after a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The bytes of a file; undefined where there is none. */
export async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Is there a file or a folder of this name that may be seen? */
export const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
