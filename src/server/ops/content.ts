import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { type ContentSnapshot, nameOfNgo } from '#server/modules/content/snapshot.ts'
import { validateSnapshot } from '#server/modules/content/validate.ts'
import type { Place } from './command.ts'

/** The last content that the site kept in its folder; undefined where there is none or it cannot be read. */
export async function keptContent({ dataDir }: Place): Promise<ContentSnapshot | undefined> {
  try {
    const text = await readFile(join(dataDir, 'content-snapshot.json'), 'utf8')
    return validateSnapshot((JSON.parse(text) as { snapshot: unknown }).snapshot)
  } catch {
    return undefined
  }
}

/** Gives the English names of organisations; their ids where no content is kept. */
export async function ngoNames(place: Place): Promise<(ngoId: string) => string> {
  const content = await keptContent(place)
  return ngoId => (content === undefined ? ngoId : nameOfNgo(content, ngoId, DEFAULT_LANGUAGE))
}
