import type { LakeDocument } from './model.ts'
import { type Entry, recordOf, reverted } from './past.ts'
import type { Documents } from './staging.ts'

/** What a folded log begins with: everything before its first transaction. */
export interface Snapshot {
  readonly documents: readonly LakeDocument[]
  /** Every id that there ever was. */
  readonly known: readonly string[]
}

/** History older than this many bytes of log is folded away, once there are twice as many. */
const HISTORY_BYTES = 8 * 1024 * 1024

/**
 * Makes a long log short: the newest transactions stay, what they began with becomes a snapshot.
 * Undefined while the log is not long.
 */
export function folded({
  entries,
  documents,
  known,
  historyBytes = HISTORY_BYTES,
}: {
  entries: readonly Entry[]
  documents: Documents
  known: Iterable<string>
  historyBytes?: number | undefined
}): { readonly snapshot: Snapshot; readonly entries: Entry[] } | undefined {
  const total = entries.reduce((bytes, { line }) => bytes + line.length, 0)
  if (total <= 2 * historyBytes) return undefined
  let kept = 0
  let from = entries.length
  while (from > 0 && kept < historyBytes) kept += (entries[--from] as Entry).line.length
  const snapshot = { documents: documentsAt(entries, documents, from - 1), known: [...known] }
  return { snapshot, entries: entries.slice(from) }
}

/** The documents after the transaction at `place`, by taking back each one after it. */
function documentsAt(entries: readonly Entry[], documents: Documents, place: number): LakeDocument[] {
  const past = new Map<string, LakeDocument | null>()
  for (const entry of entries.slice(place + 1).reverse()) {
    for (const change of recordOf(entry).changes) {
      const after = past.has(change.id) ? past.get(change.id) : documents.get(change.id)
      past.set(change.id, reverted(after ?? null, change))
    }
  }
  const untouched = [...documents.values()].filter(({ _id }) => !past.has(_id))
  return [...untouched, ...past.values()].filter(document => document !== null)
}
