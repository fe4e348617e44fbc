import { readFileSync } from 'node:fs'
import type { LakeDocument } from './model.ts'

/**
 * Reads documents from files in the official export format: one JSON document per line (NDJSON).
 * A later document with the same `_id` replaces an earlier one. Throws, naming the file and line, on a line
 * that is no document: a seed that cannot be read is a mistake to see at start, not at the first page.
 */
export function readDocuments(files: readonly string[]): LakeDocument[] {
  return [...readSeed(files).values()].map(({ document }) => document)
}

/** A document of a seed, and the file it is from: the paths of its assets start there. */
export interface SeedDocument {
  readonly document: LakeDocument
  readonly file: string
}

export function readSeed(files: readonly string[]): Map<string, SeedDocument> {
  const byId = new Map<string, SeedDocument>()
  for (const file of files) {
    for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (line.trim() === '') continue
      const document = readLine(line)
      if (document === undefined) throw new Error(`${file}:${index + 1} is not a document`)
      byId.set(document._id, { document, file })
    }
  }
  return byId
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
