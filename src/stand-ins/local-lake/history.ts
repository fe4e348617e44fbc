import { type Place, presented, presentedEffects } from './assets-address.ts'
import { publishedOf } from './ids.ts'
import { mutationsOf } from './listen.ts'
import type { LakeDocument, TransactionRecord } from './model.ts'
import { documentAt, type Entry, recordOf, recordReader } from './past.ts'
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

/**
 * The documents as they were; those that were not there then are left out. The Studio asks for a draft by any
 * revision of its history: where only the published document has it (it was seeded or imported), that is what the
 * draft would have begun with.
 */
export function documentsAt(
  store: Store,
  ids: readonly string[],
  moment: Moment,
  place: Place,
): LakeDocument[] {
  const entries = store.entries()
  const read = recordReader()
  const momentOf = moments(entries, moment)
  const asItWas = (id: string): LakeDocument | null => {
    const now = store.documents.get(id) ?? null
    const at = momentOf(id, now)
    return at === undefined ? null : documentAt(now, id, entries, at, read)
  }
  return ids.flatMap(id => {
    const document = asItWas(id) ?? (moment.revision === undefined ? null : publishedAs(id))
    return document ? [presented(document, place)] : []
  })

  function publishedAs(id: string): LakeDocument | null {
    if (ids.includes(publishedOf(id))) return null
    const published = asItWas(publishedOf(id))
    return published && published._rev === moment.revision ? { ...published, _id: id } : null
  }
}

/** Tells the place of the last transaction that counts for a document, or undefined when the moment is not known. */
function moments(
  entries: readonly Entry[],
  { revision, time, lastRevision }: Moment,
): (id: string, now: LakeDocument | null) => number | undefined {
  if (revision !== undefined) {
    const found = entries.findLastIndex(entry => entry.id === revision)
    return (_, now) => (found < 0 ? (now?._rev === revision ? entries.length - 1 : undefined) : found)
  }
  if (time !== undefined) {
    const found = entries.findLastIndex(({ timestamp }) => Date.parse(timestamp) <= Date.parse(time))
    return () => found
  }
  return (id, now) => {
    if (!lastRevision || now) return entries.length - 1
    const end = entries.findLastIndex(({ changes }) => changes.some(change => change.id === id))
    return end < 0 ? undefined : end - 1
  }
}
