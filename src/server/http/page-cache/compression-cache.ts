import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Compress, compressOnce, isCompressible } from '#server/http/transport/encodings.ts'

const CODINGS = ['br', 'gzip'] as const

/**
 * Compresses at the highest effort, and keeps the result on disk under the digest of the bytes. The next start with
 * the same pages and files reads it, which saves two seconds of work. Where the folder cannot be written, that work
 * is done again at each start. Several processes may share the folder.
 */
export function keptCompression(folder: string): Compress {
  return async (bytes, contentType) => {
    if (!isCompressible(contentType)) return compressOnce(bytes, contentType)
    const name = createHash('sha256').update(bytes).digest('hex')
    const kept = await Promise.all(CODINGS.map(coding => readKept(join(folder, `${name}.${coding}`))))
    const [br, gzip] = kept
    if (br && gzip) return { br, gzip, identity: bytes }
    const made = await compressOnce(bytes, contentType)
    if (made.br && made.gzip)
      await Promise.all([keep(folder, `${name}.br`, made.br), keep(folder, `${name}.gzip`, made.gzip)]).catch(
        () => {},
      )
    return made
  }
}

async function readKept(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined)
}

/** Writes the file whole or not at all, so that a reader never sees half of it. */
async function keep(folder: string, name: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${name}.${randomUUID()}`)
  await writeFile(draft, bytes)
  await rename(draft, join(folder, name))
}
