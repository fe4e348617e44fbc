import type { LakeDocument } from './model.ts'
import { changed, documentAt, recordReader } from './past.ts'
import type { Committed, Store } from './store.ts'

/** A transaction that a listener missed, from its step number `from` on. */
export interface Missed {
  readonly committed: Committed
  readonly from: number
}

/** Whoever missed more begins anew, which costs less than telling it. */
const MOST_MISSED = 1_000

/**
 * What happened after an event, as it was told then; undefined when that is not known any more.
 * @param eventId `{transaction}#{document}`
 */
export function missedSince(store: Store, eventId: string): Missed[] | undefined {
  const [transactionId, documentId] = eventId.split('#')
  const entries = store.entries()
  const place = entries.findLastIndex(({ id }) => id === transactionId)
  const seen = entries[place]?.changes.findIndex(({ id }) => id === documentId) ?? -1
  if (place < 0 || seen < 0 || entries.length - place > MOST_MISSED) return undefined

  const read = recordReader()
  const missed: Missed[] = []
  const documents = new Map<string, LakeDocument | null>()
  const before = (id: string) => {
    const known = documents.get(id)
    return known === undefined
      ? documentAt(store.documents.get(id) ?? null, id, entries, place - 1, read)
      : known
  }
  for (const [index, entry] of entries.slice(place).entries()) {
    const record = read(entry)
    const steps = record.changes.map(change => {
      const was = before(change.id)
      const after = changed(was, change, record.id)
      documents.set(change.id, after)
      return { id: change.id, before: was, after }
    })
    missed.push({ committed: { record, steps }, from: index === 0 ? seen + 1 : 0 })
  }
  return missed
}
