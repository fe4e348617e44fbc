import { Mutation as Mutator } from '@sanity/mutator'
import { malformed, mutationRefused } from './errors.ts'
import type { LakeDocument } from './model.ts'

/** What a patch may do; everything else in it is a mistake to tell, not to pass over. */
const OPERATIONS: ReadonlySet<string> = new Set([
  'set',
  'setIfMissing',
  'unset',
  'inc',
  'dec',
  'insert',
  'diffMatchPatch',
])
const ADDRESS: ReadonlySet<string> = new Set(['id', 'query', 'params', 'ifRevisionID'])

/** Set by the lake itself, or never to change. */
const FIXED = ['_id', '_type', '_createdAt', '_updatedAt', '_rev'] as const

export type Patch = Readonly<Record<string, unknown>>

/** Gives the patched document. Refuses a patch that cannot be read, or that would change a document's name or type. */
export function patched(document: LakeDocument, patch: Patch, index: number): LakeDocument {
  const operations = Object.entries(patch).filter(([name]) => !ADDRESS.has(name))
  for (const [name] of operations) {
    if (!OPERATIONS.has(name)) throw malformed(`Unknown patch operation "${name}"`, index)
  }
  const result = apply(document, Object.fromEntries(operations), index)
  if (result._type !== document._type) throw malformed('Cannot modify immutable attribute "_type"', index)
  if (result._id !== document._id) throw malformed('Cannot modify immutable attribute "_id"', index)
  const fixed = FIXED.filter(field => document[field] !== undefined)
  return { ...result, ...Object.fromEntries(fixed.map(field => [field, document[field]])) } as LakeDocument
}

/** The Studio's own patcher: what it shows at once is what is kept. */
function apply(document: LakeDocument, operations: Patch, index: number): LakeDocument {
  const own = structuredClone(document) as ConstructorParameters<typeof Mutator>[0] & LakeDocument
  const patch = { id: document._id, ...structuredClone(operations) }
  try {
    const mutator = new Mutator({ mutations: [{ patch } as never] })
    const result = mutator.apply(own as never) as LakeDocument | null
    if (result === null) throw new Error('nothing is left of the document')
    return result
  } catch (error) {
    throw malformed(
      `The patch of "${document._id}" cannot be applied: ${error instanceof Error ? error.message : error}`,
      index,
    )
  }
}

/** Refuses a change based on a revision that is no longer the current one. */
export function checkRevision(document: LakeDocument, expected: unknown, index: number): void {
  if (expected === undefined || expected === null || document._rev === expected) return
  throw mutationRefused(
    {
      type: 'documentRevisionIDDoesNotMatchError',
      description: `Document "${document._id}" has unexpected revision ID: it was changed meanwhile`,
      id: document._id,
      currentRevisionID: document._rev,
      expectedRevisionID: expected,
    },
    index,
  )
}
