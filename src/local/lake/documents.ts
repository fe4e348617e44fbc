import { readFileSync } from 'node:fs'

/** One document of the content, as the Content Lake keeps it. */
export interface LakeDocument {
  readonly _id: string
  readonly _type: string
  readonly [field: string]: unknown
}

/**
 * Reads documents from files in the official export format: one JSON document per line (NDJSON).
 * A later document with the same `_id` replaces an earlier one. Throws, naming the file and line, on a line
 * that is no document: a seed that cannot be read is a mistake to see at start, not at the first page.
 */
export function readDocuments(files: readonly string[]): LakeDocument[] {
  const byId = new Map<string, LakeDocument>()
  for (const file of files) {
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (line.trim() === '') continue
      const document = readLine(line)
      if (document === undefined) throw new Error(`${file}:${index + 1} is not a document`)
      byId.set(document._id, document)
    }
  }
  return [...byId.values()]
}

function readLine(line: string): LakeDocument | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isDocument(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isDocument(value: unknown): value is LakeDocument {
  if (typeof value !== 'object' || value === null) return false
  const { _id, _type } = value as Record<string, unknown>
  return typeof _id === 'string' && typeof _type === 'string'
}
