import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFolder, writeWhole } from '#server/platform/files.ts'

/** Where an archive is kept, by names with slashes. A folder today; an object store has the same five. */
export interface ArchiveStore {
  /**
   * Keeps bytes for good under a name that nothing has yet.
   * @throws NameTaken where something has it: another process ships into the same archive
   */
  put(name: string, bytes: Buffer | Readable): Promise<void>
  /** Keeps a note, in the place of an earlier one. */
  note(name: string, text: string): Promise<void>
  read(name: string): Promise<Buffer>
  stream(name: string): Readable
  /** The names in a folder, sorted; none where there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  remove(name: string): Promise<void>
}

/** Something of this name is there already. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken'
}

/** An archive in a folder, of a file system with hard links. Only its owner may read it. */
export function folderStore(root: string): ArchiveStore {
  const at = (name: string): string => join(root, name)
  return {
    async put(name, bytes) {
      const file = at(name)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const part = `${file}.part`
      try {
        await (Buffer.isBuffer(bytes) ? writeNew(part, bytes) : streamNew(part, bytes))
        // A rename would replace what another process has put there.
        await link(part, file)
        await syncFolder(dirname(file))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new NameTaken(name)
        throw error
      } finally {
        await rm(part, { force: true })
      }
    },
    async note(name, text) {
      await mkdir(dirname(at(name)), { recursive: true, mode: 0o700 })
      await writeWhole(at(name), text)
    },
    read: name => readFile(at(name)),
    stream: name => createReadStream(at(name)),
    async list(folder) {
      const names = await readdir(at(folder)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      return names.sort()
    },
    remove: name => rm(at(name), { recursive: true, force: true }),
  }
}

async function writeNew(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function streamNew(file: string, bytes: Readable): Promise<void> {
  await pipeline(bytes, createWriteStream(file, { mode: 0o600, flush: true }))
}
