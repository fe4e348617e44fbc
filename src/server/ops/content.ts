import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { type ContentSnapshot, nameOfNgo } from '#server/modules/content/snapshot.ts'
import { validateSnapshot } from '#server/modules/content/validate.ts'
import { type Place, Refusal, type Tools } from './command.ts'

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

/** A mistyped id would find nothing, or make what nobody is ever paid by. @throws Refusal for an unknown organisation */
export async function refuseUnknownOrganisation({ place, database }: Tools, ngoId: string): Promise<void> {
  const content = await keptContent(place)
  if (content?.knownNgos.some(({ id }) => id === ngoId)) return
  const given = await (await database()).read(reader =>
    reader.selectFrom('allocations').select('ngo_id').where('ngo_id', '=', ngoId).limit(1).executeTakeFirst(),
  )
  if (given === undefined)
    throw new Refusal(`There is no organisation "${ngoId}". \`payout owed\` lists those that are owed money.`)
}
