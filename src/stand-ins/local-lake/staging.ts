import { isDeepStrictEqual } from 'node:util'
import { diff } from './diff.ts'
import { type MutationProblem, malformed, mutationRefused } from './errors.ts'
import type { Change, LakeDocument, Mutation } from './model.ts'
import { strongReferences } from './references.ts'
import type { Changes } from './tasks.ts'

/** The documents as they are. */
export interface Documents {
  get(id: string): LakeDocument | undefined
  values(): Iterable<LakeDocument>
}

/** A document as it was and as it will be; null where there is none. */
export interface Step {
  readonly id: string
  readonly before: LakeDocument | null
  readonly after: LakeDocument | null
}

/** A transaction in the making: sees its own changes, touches nothing else. */
export interface Staging {
  readonly transactionId: string
  readonly timestamp: string
  get(id: string): LakeDocument | undefined
  /** Puts a document in place, or takes it away with null; `mutation` is what the log will say about it. */
  put(id: string, document: LakeDocument | null, mutation: Mutation): void
  /** Takes over what the same transaction came to elsewhere. */
  take(changes: Changes): void
  /** What will have changed. Refuses when a reference would lead nowhere. */
  finish(): { readonly mutations: readonly Mutation[]; readonly steps: readonly Step[] }
}

export function createStaging(
  current: Documents,
  { transactionId, timestamp }: { transactionId: string; timestamp: string },
): Staging {
  const staged = new Map<string, LakeDocument | null>()
  const mutations: Mutation[] = []

  function get(id: string): LakeDocument | undefined {
    const own = staged.get(id)
    return own === undefined ? current.get(id) : (own ?? undefined)
  }

  function put(id: string, document: LakeDocument | null, mutation: Mutation): void {
    const before = get(id)
    staged.set(id, document && settled(document, { before, transactionId, timestamp }))
    mutations.push(mutation)
  }

  function take(changes: Changes): void {
    for (const [id, document] of changes.after) staged.set(id, document)
    mutations.push(...changes.mutations)
  }

  function finish() {
    const steps: Step[] = []
    for (const [id, after] of staged) {
      const before = current.get(id) ?? null
      if (before || after) steps.push({ id, before, after })
    }
    checkReferences(steps, id => get(id) !== undefined, survivors(current, staged))
    return { mutations, steps }
  }

  return { transactionId, timestamp, get, put, take, finish }
}

/**
 * The document as it is kept: plain JSON (a field that is undefined would spoil the effects), with the
 * lake's own fields. Addresses of assets depend on where the lake is reached and are filled in when it is read.
 */
function settled(
  document: LakeDocument,
  {
    before,
    transactionId,
    timestamp,
  }: { before: LakeDocument | undefined; transactionId: string; timestamp: string },
): LakeDocument {
  checkShape(document, document._id)
  const plain = JSON.parse(JSON.stringify(document)) as LakeDocument
  return {
    ...plain,
    ...(/^sanity\.(image|file)Asset$/.test(plain._type) ? { path: null, url: null } : {}),
    _createdAt: plain._createdAt ?? before?._createdAt ?? timestamp,
    _updatedAt: timestamp,
    _rev: transactionId,
  }
}

/** Deeper documents are refused, as at the hosted API; and no recursion here runs out of stack. */
const MOST_DEPTH = 20
/** The longest text of the seed has 3,000; a picture's glance (`lqip`) some 1,500. */
export const MOST_TEXT_CHARACTERS = 100_000
const MOST_DOCUMENT_CHARACTERS = 1024 * 1024
const MOST_VALUES = 20_000

/** What is left of a document's measure while it is looked over. */
interface Room {
  characters: number
  values: number
}

/** Counted before it is written as JSON: one patch can put a text of 1 MB into each of a thousand places. */
function checkShape(
  value: unknown,
  id: string,
  depth = 0,
  room: Room = { characters: MOST_DOCUMENT_CHARACTERS, values: MOST_VALUES },
): void {
  if (typeof value === 'string') {
    if (value.length > MOST_TEXT_CHARACTERS)
      throw malformed(
        `Document "${id}" has a text of more than ${MOST_TEXT_CHARACTERS.toLocaleString('en')} characters`,
      )
    room.characters -= value.length
  }
  if (room.characters < 0) throw malformed(`Document "${id}" is larger than 1 MB`)
  if (--room.values < 0)
    throw malformed(`Document "${id}" has more than ${MOST_VALUES.toLocaleString('en')} values`)
  if (typeof value !== 'object' || value === null) return
  if (depth === MOST_DEPTH) throw malformed(`Document "${id}" is nested more than ${MOST_DEPTH} levels deep`)
  // Consumers of effects make objects field by field: there this name is no field.
  if (Object.hasOwn(value, '__proto__'))
    throw malformed(`Document "${id}" has a field that cannot be: __proto__`)
  for (const [field, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) room.characters -= field.length
    checkShape(inner, id, depth + 1, room)
  }
}

function* survivors(
  current: Documents,
  staged: ReadonlyMap<string, LakeDocument | null>,
): Iterable<LakeDocument> {
  for (const document of current.values()) if (!staged.has(document._id)) yield document
  for (const document of staged.values()) if (document) yield document
}

/** Strong references must lead somewhere, as at the hosted API: from what changed, and to what went away. */
function checkReferences(
  steps: readonly Step[],
  exists: (id: string) => boolean,
  all: Iterable<LakeDocument>,
): void {
  for (const { id, after } of steps) {
    const missing = after && [...strongReferences(after)].find(target => !exists(target))
    if (missing) throw mutationRefused(danglingReference(id, missing))
  }
  const gone = new Set(steps.filter(({ after }) => !after).map(({ id }) => id))
  if (gone.size === 0) return
  const referencing = new Map<string, string[]>()
  for (const document of all) {
    for (const target of strongReferences(document)) {
      if (gone.has(target)) referencing.set(target, [...(referencing.get(target) ?? []), document._id])
    }
  }
  for (const [id, from] of referencing) throw mutationRefused(stillReferenced(id, from))
}

function danglingReference(id: string, target: string): MutationProblem {
  const description = `Document "${id}" references non-existent document "${target}"`
  return { type: 'documentReferencesNonExistentDocumentError', description, id, referenceID: target }
}

function stillReferenced(id: string, referencingIDs: readonly string[]): MutationProblem {
  const names = referencingIDs.map(each => `"${each}"`).join(', ')
  const description = `Document "${id}" cannot be deleted as there are references to it from ${names}`
  return { type: 'documentHasExistingReferencesError', description, id, referencingIDs }
}

/** What the log and the listeners say about a document's step. */
export function changeOf({ id, before, after }: Step): Change {
  const [from, to] = [withoutRevision(before), withoutRevision(after)]
  return {
    id,
    transition: before ? (after ? 'update' : 'disappear') : 'appear',
    previousRev: before ? (before._rev as string) : null,
    effects: { apply: diff(from, to), revert: diff(to, from) },
  }
}

/** Consumers of effects keep the revision apart: with it, the places of the fields would be others. */
export function withoutRevision(document: LakeDocument | null): LakeDocument | null {
  if (document === null) return null
  const { _rev, ...rest } = document
  return rest as LakeDocument
}

/** Whether two documents say the same, whenever and by whomever they were written. */
export function isSameContent(one: LakeDocument, other: LakeDocument): boolean {
  const content = ({ _rev, _createdAt, _updatedAt, path, url, ...rest }: LakeDocument) => rest
  return isDeepStrictEqual(content(one), content(other))
}
