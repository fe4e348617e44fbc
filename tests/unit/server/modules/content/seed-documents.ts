import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readDocuments } from '#stand-ins/local-lake/documents.ts'
import { SEED } from './content-fixture.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents of every type
export type SeedDocument = Record<string, any>

/** A deep copy of one seed document, to be broken and published. */
export function seedDocument(id: string): SeedDocument {
  const found = readDocuments([SEED]).find(document => document._id === id)
  if (found === undefined) throw new Error(`no ${id} in the seed`)
  // Its pictures lie beside the seed, wherever the copy is written.
  return JSON.parse(JSON.stringify(found).replaceAll('file://./', pathToFileURL(`${dirname(SEED)}/`).href))
}

/** The same, changed by the recipe given. */
export function changed(id: string, change: (document: SeedDocument) => void): SeedDocument {
  const document = seedDocument(id)
  change(document)
  return document
}
