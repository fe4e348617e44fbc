import { draftOf, isPublished, publishedOf, releaseOf } from './ids.ts'
import type { Entry } from './past.ts'
import type { Store } from './store.ts'

/**
 * What happened to a document, its drafts and its versions, the newest first, in the words of the hosted API.
 * A publication and a discard name the draft's revision before them: after them there is none.
 */
export function eventsOf(store: Store, asked: string, limit: number): object[] {
  const documentId = publishedOf(asked)
  const entries = store.entries().filter(({ changes }) => changes.some(isOf(documentId)))
  const left = new Set(idsThereBefore(entries, documentId, store))
  const events: object[] = []
  for (const entry of entries) {
    const changes = entry.changes.filter(isOf(documentId))
    for (const { id, transition } of changes) {
      if (transition === 'disappear') left.delete(id)
      else left.add(id)
    }
    events.push(...eventsIn(entry, changes, documentId, left.size > 0))
  }
  return events.reverse().slice(0, limit)
}

type EntryChange = Entry['changes'][number]

const isOf =
  (documentId: string) =>
  ({ id }: { readonly id: string }): boolean =>
    publishedOf(id) === documentId

/** The documents of a group that were there before the first of its transactions that are kept. */
function idsThereBefore(entries: readonly Entry[], documentId: string, store: Store): string[] {
  const first = new Map<string, EntryChange>()
  for (const change of entries.flatMap(({ changes }) => changes)) {
    if (publishedOf(change.id) === documentId && !first.has(change.id)) first.set(change.id, change)
  }
  const changed = [...first].filter(([, { previousRev }]) => previousRev !== null).map(([id]) => id)
  const untouched = [documentId, draftOf(documentId)].filter(id => !first.has(id) && store.documents.get(id))
  return [...changed, ...untouched]
}

function eventsIn(
  { id, timestamp, author }: Entry,
  changes: readonly EntryChange[],
  documentId: string,
  isLeft: boolean,
): object[] {
  const base = { id, timestamp, author, documentId }
  if (!isLeft) return [{ ...base, type: 'deleteDocumentGroup' }]
  const published = changes.find(change => change.id === documentId)
  const versions = changes.filter(change => !isPublished(change.id))
  const of = (versionId: string, versionRevisionId: string | null) => {
    const releaseId = releaseOf(versionId)
    return { ...base, versionId, versionRevisionId, ...(releaseId ? { releaseId } : {}) }
  }
  const gone = versions.find(({ transition }) => transition === 'disappear')
  if (published && published.transition !== 'disappear' && gone) {
    const publishCause = { type: 'document.publish' }
    const event = of(gone.id, gone.previousRev)
    return [{ ...event, type: 'publishDocumentVersion', revisionId: id, publishCause }]
  }
  if (published?.transition === 'disappear') {
    const draft = versions.find(({ transition }) => transition !== 'disappear')
    return [{ ...of(draft?.id ?? `drafts.${documentId}`, id), type: 'unpublishDocument' }]
  }
  const events: object[] = []
  if (published) {
    const type = published.transition === 'appear' ? 'createLiveDocument' : 'updateLiveDocument'
    events.push({ ...base, type, revisionId: id })
  }
  for (const { id: versionId, transition, previousRev } of versions) {
    if (transition === 'appear') events.push({ ...of(versionId, id), type: 'createDocumentVersion' })
    if (transition === 'disappear')
      events.push({ ...of(versionId, previousRev), type: 'deleteDocumentVersion' })
  }
  return events
}
