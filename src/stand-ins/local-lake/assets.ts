import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { MOST_PICTURE_BYTES } from '#domain/images/picture.ts'
import { nameOf } from './assets-address.ts'
import { type Disk, isDiskFull, isMissing, writeWhole } from './disk.ts'
import { refusal } from './errors.ts'
import type { LakeDocument } from './model.ts'
import type { Store } from './store.ts'

export type AssetKind = 'image' | 'file'

/** What the uploader says about a file; all of it optional. */
export interface AssetDetails {
  readonly filename?: string | undefined
  readonly contentType?: string | undefined
  readonly title?: string | undefined
  readonly label?: string | undefined
  readonly description?: string | undefined
  readonly creditLine?: string | undefined
  readonly source?: { readonly id: string; readonly name?: string; readonly url?: string } | undefined
}

export interface Assets {
  /**
   * Keeps a file and gives its document; the same bytes again give the same document.
   * Refuses pictures that are none, and anything over the size limit.
   */
  upload(
    kind: AssetKind,
    bytes: Uint8Array,
    details: AssetDetails,
    by: { readonly author: string; readonly transactionId: string },
  ): Promise<LakeDocument>
  /** The bytes of a kept file by its name in the address, or undefined. */
  read(kind: AssetKind, name: string): Promise<Buffer | undefined>
  has(kind: AssetKind, name: string): Promise<boolean>
}

/** Names of kept files: the hash of the bytes, for pictures the size, and the extension. */
const NAME = /^[0-9a-f]{40}(?:-\d+x\d+)?\.[a-z0-9]{1,10}$/

/** Files lie in `images/` and `files/`, each under the hash of its bytes; their documents are in the log. */
export function createAssets({ store, dir, disk }: { store: Store; dir: string; disk: Disk }): Assets {
  /** Pictures are looked over one at a time: each unfolds to many times its size. */
  let turn: Promise<unknown> = Promise.resolve()
  const fileOf = (kind: AssetKind, name: string) => join(dir, `${kind}s`, name)

  async function upload(
    kind: AssetKind,
    bytes: Uint8Array,
    details: AssetDetails,
    by: { author: string; transactionId: string },
  ): Promise<LakeDocument> {
    if (bytes.length === 0) throw refusal(400, 'The file is empty')
    if (bytes.length > MOST_PICTURE_BYTES) throw refusal(413, 'The file is larger than 20 MB')
    const looking = turn.then(() => documentOf(kind, bytes, details))
    turn = looking.catch(() => {})
    const document = await looking
    await keep(fileOf(kind, nameOf(document._id)), bytes)
    return (await add(document, by)) as LakeDocument
  }

  async function keep(file: string, bytes: Uint8Array): Promise<void> {
    try {
      if ((await disk.stat(file)).size === bytes.length) return
    } catch (error) {
      if (!isMissing(error)) throw error
    }
    try {
      await disk.mkdir(join(file, '..'), { recursive: true })
      await writeWhole(disk, file, bytes)
    } catch (error) {
      if (isDiskFull(error))
        throw refusal(507, 'The disk is full: the file was not kept. Make room and try again.')
      throw error
    }
  }

  async function add(
    document: LakeDocument,
    { author, transactionId }: { author: string; transactionId: string },
  ) {
    const existing = () => store.documents.get(document._id)
    if (existing()) return existing()
    await store.commit(
      staging => {
        if (!staging.get(document._id)) staging.put(document._id, document, { createIfNotExists: document })
      },
      { author, transactionId },
    )
    return existing()
  }

  return {
    upload,
    async has(kind, name) {
      if (!NAME.test(name)) return false
      try {
        await disk.stat(fileOf(kind, name))
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    async read(kind, name) {
      if (!NAME.test(name)) return undefined
      try {
        return await disk.readFile(fileOf(kind, name))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
  }
}

async function documentOf(kind: AssetKind, bytes: Uint8Array, details: AssetDetails): Promise<LakeDocument> {
  const { filename, contentType, source, ...texts } = details
  const hash = createHash('sha1').update(bytes).digest('hex')
  const common = { assetId: hash, sha1hash: hash, size: bytes.length, uploadId: hash.slice(0, 32) }
  const told = {
    ...(filename ? { originalFilename: filename } : {}),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)),
    ...(source ? { source: { _type: 'sanity.assetSourceData', ...source } } : {}),
  }
  if (kind === 'file') {
    const extension = /\.([a-z0-9]{1,10})$/i.exec(filename ?? '')?.[1]?.toLowerCase() ?? 'bin'
    const mimeType = contentType ?? 'application/octet-stream'
    return {
      _id: `file-${hash}-${extension}`,
      _type: 'sanity.fileAsset',
      ...common,
      extension,
      mimeType,
      ...told,
    }
  }
  // Loaded with the first picture: it is much memory for a lake that holds none.
  const { factsOf } = await import('./images.ts')
  const { extension, mimeType, width, height, metadata } = await factsOf(bytes)
  const _id = `image-${hash}-${width}x${height}-${extension}`
  return { _id, _type: 'sanity.imageAsset', ...common, extension, mimeType, metadata, ...told }
}
