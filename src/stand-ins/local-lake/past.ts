import { applyPatch } from 'mendoza'
import type { Change, LakeDocument, TransactionRecord } from './model.ts'
import { withoutRevision } from './staging.ts'

/** A transaction that is kept: what is asked for often at hand, the rest as the line of the log. */
export interface Entry {
  readonly id: string
  readonly timestamp: string
  readonly author: string
  readonly changes: readonly Omit<Change, 'effects'>[]
  readonly line: string
}

export function entryOf(record: TransactionRecord, line: string): Entry {
  const { id, timestamp, author } = record
  return { id, timestamp, author, line, changes: record.changes.map(({ effects, ...rest }) => rest) }
}

export const recordOf = ({ line }: Entry): TransactionRecord => JSON.parse(line) as TransactionRecord

/** Reads each transaction once, however many documents it is asked for. For as long as one answer takes. */
export function recordReader(): (entry: Entry) => TransactionRecord {
  const read = new Map<Entry, TransactionRecord>()
  return entry => {
    const record = read.get(entry) ?? recordOf(entry)
    read.set(entry, record)
    return record
  }
}

/** A document after its change. */
export function changed(before: LakeDocument | null, change: Change, rev: string): LakeDocument | null {
  const after = applyPatch(withoutRevision(before), [...change.effects.apply]) as LakeDocument | null
  return after && { ...after, _rev: rev }
}

/** A document before its change. */
export function reverted(after: LakeDocument | null, change: Change): LakeDocument | null {
  const before = applyPatch(withoutRevision(after), [...change.effects.revert]) as LakeDocument | null
  return before && { ...before, _rev: change.previousRev }
}

/**
 * A document as it was after the transaction at `place`, or null when there was none.
 * @param now the document after the last of `entries`
 * @param place an index in `entries`; -1 for before the first
 * @param read the one reader of an answer that is about many documents
 */
export function documentAt(
  now: LakeDocument | null,
  id: string,
  entries: readonly Entry[],
  place: number,
  read: (entry: Entry) => TransactionRecord,
): LakeDocument | null {
  let document = now
  for (let index = entries.length - 1; index > place; index--) {
    const entry = entries[index] as Entry
    if (!entry.changes.some(change => change.id === id)) continue
    const change = read(entry).changes.find(each => each.id === id) as Change
    document = reverted(document, change)
  }
  return document
}
