import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file whole: power cut or not, it then holds the old content or the new. Its owner alone may read it.
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
  const folder = await open(dirname(to), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
