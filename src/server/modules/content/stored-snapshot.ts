import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '#server/platform/files.ts'
import type { ContentSnapshot } from './snapshot.ts'
import { BrokenContent, validateSnapshot } from './validate.ts'

/** The last good content on disk, for a start while the CMS does not answer (product.md#content). */
export interface StoredSnapshot {
  /** The snapshot of this source; undefined when there is none yet. Throws when it cannot be read or is broken. */
  read(): Promise<ContentSnapshot | undefined>
  /** Replaces it whole: after a power cut the file holds either the old snapshot or the new one. */
  write(snapshot: ContentSnapshot): Promise<void>
}

/**
 * @param dataDir the folder of the server's own files; made when missing
 * @param source which project and dataset the content is of: one is never served in place of another
 */
export function storedSnapshot(dataDir: string, source: string): StoredSnapshot {
  const file = join(dataDir, 'content-snapshot.json')

  async function read(): Promise<ContentSnapshot | undefined> {
    const text = (await readIfThere(file))?.toString('utf8')
    if (text === undefined) return undefined
    const kept = parse(text)
    return kept.source === source ? validateSnapshot(kept.snapshot) : undefined
  }

  async function write(snapshot: ContentSnapshot): Promise<void> {
    await mkdir(dataDir, { recursive: true })
    await writeWhole(file, JSON.stringify({ source, snapshot }))
  }

  return { read, write }
}

function parse(text: string): { source?: unknown; snapshot?: unknown } {
  const value: unknown = readJson(text)
  if (typeof value !== 'object' || value === null) throw new BrokenContent('(all): not a stored snapshot')
  return value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BrokenContent('(all): not JSON')
  }
}
