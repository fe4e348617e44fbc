import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AssetKind, Assets } from './assets.ts'
import { readSeed } from './documents.ts'
import { LakeError } from './errors.ts'
import type { LakeDocument } from './model.ts'
import { strongReferences } from './references.ts'
import { isSameContent } from './staging.ts'
import type { Store } from './store.ts'

/** Whom the history names for what came with the product. */
const AUTHOR = 'seed'
const PREFIX = 'seed-'

export interface Seeding {
  readonly store: Store
  readonly assets: Assets
  readonly files: readonly string[]
  readonly newName: () => string
}

const BETWEEN_TRIES_MS = 100
const MOST_TRIES = 100

/** Seeds, or waits for another process that is starting on the same folder to have done it. */
export async function seed(seeding: Seeding): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await seedOnce(seeding)
    } catch (error) {
      if (!(error instanceof LakeError) || error.status !== 503 || tries === MOST_TRIES) throw error
    }
    await setTimeout(BETWEEN_TRIES_MS)
    await seeding.store.catchUp()
  }
}

/**
 * Adds the documents of the seed files that the lake never had, with their pictures. Replaces those that nobody has
 * touched since they were seeded, where the seed has changed. What the operator changed or deleted stays so.
 * Throws when a seed cannot be read, or when one for a new lake does not hold what it refers to.
 */
async function seedOnce({ store, assets, files, newName }: Seeding): Promise<void> {
  const isNew = store.known.size === 0
  const wanted: LakeDocument[] = []
  for (const { document, file } of readSeed(files).values()) {
    const current = store.documents.get(document._id)
    const isUntouched = current !== undefined && String(current._rev).startsWith(PREFIX)
    if (!isUntouched && store.known.has(document._id)) continue
    const whole = (await withAssets(document, file, upload)) as LakeDocument
    if (!current || !isSameContent(current, whole)) wanted.push(whole)
  }
  const possible = isNew ? wanted : withoutDangling(wanted, store)
  if (possible.length === 0) return
  await store.commit(
    staging => {
      for (const { _rev, _updatedAt, ...fields } of possible) {
        const document = fields as LakeDocument
        staging.put(document._id, document, { createOrReplace: document })
      }
    },
    { author: AUTHOR, transactionId: PREFIX + newName() },
  )

  async function upload(kind: AssetKind, path: string): Promise<string> {
    const bytes = await readFile(path)
    const hash = createHash('sha1').update(bytes).digest('hex')
    const known = [...store.known].find(id => id.startsWith(`${kind}-${hash}-`) && store.documents.get(id))
    const by = { author: AUTHOR, transactionId: PREFIX + newName() }
    return known ?? (await assets.upload(kind, bytes, { filename: basename(path) }, by))._id
  }
}

/** Files named in the official format (`_sanityAsset: 'image@file://./images/x.jpg'`) become references to assets. */
async function withAssets(
  value: unknown,
  file: string,
  upload: (kind: AssetKind, path: string) => Promise<string>,
): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map(each => withAssets(each, file, upload)))
  const { _sanityAsset, ...fields } = value as Record<string, unknown>
  const own: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fields)) own[name] = await withAssets(inner, file, upload)
  if (_sanityAsset === undefined) return own
  const [, kind, address = ''] = /^(image|file)@(file:\/\/.+)$/.exec(String(_sanityAsset)) ?? []
  if (kind !== 'image' && kind !== 'file') throw new Error(`${file}: ${_sanityAsset} is not an asset's file`)
  const path = /^file:\/\/\//.test(address)
    ? fileURLToPath(address)
    : resolve(dirname(file), address.replace('file://', ''))
  return { _type: kind, ...own, asset: { _type: 'reference', _ref: await upload(kind, path) } }
}

/** The operator may have deleted what a newer seed refers to: the seed gives way. */
function withoutDangling(documents: readonly LakeDocument[], store: Store): readonly LakeDocument[] {
  const ids = new Set(documents.map(({ _id }) => _id))
  const leads = (target: string) => ids.has(target) || store.documents.get(target) !== undefined
  const possible = documents.filter(document => [...strongReferences(document)].every(leads))
  return possible.length === documents.length ? possible : withoutDangling(possible, store)
}
