/** Names of documents: `x` is published, `drafts.x` its draft, `versions.r.x` its version in release `r`. */
export const isDraft = (id: string): boolean => id.startsWith('drafts.')
export const isVersion = (id: string): boolean => id.startsWith('versions.')
export const isPublished = (id: string): boolean => !isDraft(id) && !isVersion(id)
export const draftOf = (id: string): string => `drafts.${publishedOf(id)}`

/** The id that a document and all its drafts and versions share. */
export function publishedOf(id: string): string {
  if (isDraft(id)) return id.slice('drafts.'.length)
  return isVersion(id) ? id.split('.').slice(2).join('.') : id
}

/** The release a version belongs to. */
export const releaseOf = (id: string): string | undefined => (isVersion(id) ? id.split('.')[1] : undefined)

/** Whether the API takes this for a document's name. */
export const isDocumentId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= 128 && /^[a-zA-Z0-9_][a-zA-Z0-9._-]*$/.test(id)

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes names of 22 letters and digits. @param chance as `Math.random` */
export function createNames(chance: () => number): () => string {
  return () => Array.from({ length: 22 }, () => ALPHABET[Math.floor(chance() * ALPHABET.length)]).join('')
}
