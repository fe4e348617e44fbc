import { type Place, presented } from './assets-address.ts'
import { refusal } from './errors.ts'
import { isDraft, isPublished, publishedOf } from './ids.ts'
import type { LakeDocument } from './model.ts'
import type { Store } from './store.ts'

/** The documents as one perspective sees them. */
export interface View {
  /** By id, so that an answer without an order is the same after a restart. */
  readonly documents: readonly LakeDocument[]
  get(id: string): LakeDocument | undefined
}

export interface Views {
  /**
   * @param perspective `raw`, `published`, `drafts`, or a list of releases and these, the strongest first
   * Refuses a perspective that the API would not know.
   */
  view(perspective: string): View
}

/** Makes views of the store and keeps each until the documents, or the lake's address, change. */
export function createViews(store: Pick<Store, 'documents' | 'version'>, place: Place): Views {
  const kept = new Map<string, View>()
  let keptFor = ''

  function view(perspective: string): View {
    const now = `${store.version()} ${place.origin()}`
    if (now !== keptFor) kept.clear()
    keptFor = now
    const before = kept.get(perspective)
    if (before) return before
    const made = viewOf(
      seenBy(perspective, [...store.documents.values()]).map(each => presented(each, place)),
    )
    kept.set(perspective, made)
    return made
  }

  return { view }
}

export function viewOf(documents: readonly LakeDocument[]): View {
  const sorted = documents.toSorted((one, other) => (one._id < other._id ? -1 : 1))
  const byId = new Map(sorted.map(document => [document._id, document]))
  return { documents: sorted, get: id => byId.get(id) }
}

function seenBy(perspective: string, documents: readonly LakeDocument[]): readonly LakeDocument[] {
  if (perspective === 'raw') return documents
  if (perspective === 'published') return documents.filter(({ _id }) => isPublished(_id))
  const layers = layersOf(perspective)
  const strength = ({ _id }: LakeDocument) => {
    const layer = isPublished(_id) ? 'published' : isDraft(_id) ? 'drafts' : (_id.split('.')[1] as string)
    return layers.indexOf(layer)
  }
  const chosen = new Map<string, LakeDocument>()
  for (const document of documents) {
    if (strength(document) < 0) continue
    const id = publishedOf(document._id)
    const rival = chosen.get(id)
    if (!rival || strength(document) < strength(rival)) chosen.set(id, document)
  }
  return [...chosen].map(([id, document]) => ({ ...document, _id: id, _originalId: document._id }))
}

/** The layers of a perspective, the strongest first; what is published lies beneath every one. */
function layersOf(perspective: string): readonly string[] {
  const named = perspective.split(',').map(name => (name === 'previewDrafts' ? 'drafts' : name))
  if (named.includes('raw') || !named.every(name => /^[a-zA-Z0-9_-]+$/.test(name)))
    throw refusal(400, `Perspective "${perspective}" is not known here`)
  return [...named.filter(name => name !== 'published'), 'published']
}
