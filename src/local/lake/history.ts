import { type Place, presented, presentedEffects } from './assets-address.ts'
import { draftOf, isPublished, publishedOf, releaseOf } from './ids.ts'
import { mutationsOf } from './listen.ts'
import type { LakeDocument, TransactionRecord } from './model.ts'
import { documentAt, type Entry, recordOf } from './past.ts'
import type { Store } from './store.ts'

export interface TransactionsRequest {
  readonly ids: readonly string[]
  readonly fromTransaction: string | undefined
  readonly toTransaction: string | undefined
  readonly fromTime: string | undefined
  readonly toTime: string | undefined
  /** The newest first. */
  readonly reverse: boolean
  readonly limit: number
  readonly includeMutations: boolean
  readonly includeEffects: boolean
  readonly identifiedDocumentsOnly: boolean
}

/** The transactions that changed any of these documents, both ends included; those asked for from on, or up to, one. */
export function transactionsOf(store: Store, request: TransactionsRequest, place: Place): object[] {
  const asked = new Set(request.ids)
  const entries = store.entries()
  const placeOf = (id: string | undefined, otherwise: number) =>
    id ? entries.findIndex(entry => entry.id === id) : otherwise
  const first = placeOf(request.fromTransaction, 0)
  const last = placeOf(request.toTransaction, entries.length - 1)
  if (first < 0 || last < 0) return []
  const chosen = entries
    .slice(first, last + 1)
    .filter(({ changes }) => changes.some(({ id }) => asked.has(id)))
    .filter(({ timestamp }) => !request.fromTime || Date.parse(timestamp) >= Date.parse(request.fromTime))
    .filter(({ timestamp }) => !request.toTime || Date.parse(timestamp) <= Date.parse(request.toTime))
  if (request.reverse) chosen.reverse()
  const keeps = (id: string) => !request.identifiedDocumentsOnly || asked.has(id)
  return chosen.slice(0, request.limit).map(entry => toldOf(recordOf(entry), request, keeps, place))
}

function toldOf(
  { id, timestamp, author, mutations, changes }: TransactionRecord,
  request: TransactionsRequest,
  keeps: (id: string) => boolean,
  place: Place,
): object {
  const kept = changes.filter(change => keeps(change.id))
  const effects = kept.map(change => [change.id, presentedEffects(change.effects, place)])
  return {
    id,
    timestamp,
    author,
    documentIDs: kept.map(change => change.id),
    ...(request.includeMutations
      ? { mutations: kept.flatMap(change => mutationsOf(change.id, mutations)) }
      : {}),
    ...(request.includeEffects ? { effects: Object.fromEntries(effects) } : {}),
  }
}

/** Which moment of a document is meant; nothing named is now. */
export interface Moment {
  readonly revision: string | undefined
  /** ISO 8601. */
  readonly time: string | undefined
  /** The last there was, of a deleted one too. */
  readonly lastRevision: boolean
}

/** The documents as they were; those that were not there then are left out. */
export function documentsAt(
  store: Store,
  ids: readonly string[],
  moment: Moment,
  place: Place,
): LakeDocument[] {
  const entries = store.entries()
  return ids.flatMap(id => {
    const now = store.documents.get(id) ?? null
    const at = momentIn(entries, id, now, moment)
    const document = at === undefined ? null : documentAt(now, id, entries, at)
    return document ? [presented(document, place)] : []
  })
}

/** The place of the last transaction that counts, or undefined when the moment is not known. */
function momentIn(
  entries: readonly Entry[],
  id: string,
  now: LakeDocument | null,
  { revision, time, lastRevision }: Moment,
): number | undefined {
  if (revision !== undefined) {
    const found = entries.findLastIndex(entry => entry.id === revision)
    return found < 0 ? (now?._rev === revision ? entries.length - 1 : undefined) : found
  }
  if (time !== undefined)
    return entries.findLastIndex(({ timestamp }) => Date.parse(timestamp) <= Date.parse(time))
  if (!lastRevision || now) return entries.length - 1
  const end = entries.findLastIndex(({ changes }) => changes.some(change => change.id === id))
  return end < 0 ? undefined : end - 1
}

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
