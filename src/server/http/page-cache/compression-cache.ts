import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Compress, compressOnce, isCompressible } from '#server/http/transport/encodings.ts'

const CODINGS = ['br', 'gzip'] as const

/**
 * Compresses at the highest effort, and keeps what came of it on disk under the digest of the bytes: the next
 * start of the same pages and files reads it instead of working two seconds for it. A folder that cannot be
 * written only costs that work again. Several processes may share the folder.
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

/** Whole or not at all: a reader never sees half a file. */
async function keep(folder: string, name: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${name}.${randomUUID()}`)
  await writeFile(draft, bytes)
  await rename(draft, join(folder, name))
}
