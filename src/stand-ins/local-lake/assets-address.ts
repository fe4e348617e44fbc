import type { Change, Effect, LakeDocument } from './model.ts'

/** Where the lake is reached, and as what: the parts of an asset's address. */
export interface Place {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: () => string
  readonly projectId: string
  readonly dataset: string
}

export const isAsset = ({ _type }: { readonly _type?: unknown }): boolean =>
  _type === 'sanity.imageAsset' || _type === 'sanity.fileAsset'

/** The document as it is read: an asset gets the address that it has at the moment. */
export function presented(document: LakeDocument, { origin, projectId, dataset }: Place): LakeDocument {
  if (!isAsset(document)) return document
  const kind = document._type === 'sanity.imageAsset' ? 'images' : 'files'
  const path = `${kind}/${projectId}/${dataset}/${nameOf(document._id)}`
  return { ...document, path, url: `${origin()}/${path}` }
}

/** A change as it is told: an asset that it writes whole comes with its address. */
export function presentedEffects({ apply, revert }: Change['effects'], place: Place): Change['effects'] {
  const told = ([opcode, whole, ...rest]: Effect): Effect =>
    opcode === 0 && rest.length === 0 && isDocument(whole)
      ? [opcode, presented(whole, place)]
      : [opcode, whole, ...rest]
  return { apply: told(apply), revert: told(revert) }
}

/** `image-{hash}-{width}x{height}-{extension}` is kept in the file `{hash}-{width}x{height}.{extension}`. */
export function nameOf(id: string): string {
  const parts = id.split('-').slice(1)
  return `${parts.slice(0, -1).join('-')}.${parts.at(-1)}`
}

const isDocument = (value: unknown): value is LakeDocument =>
  typeof value === 'object' && value !== null && '_id' in value
