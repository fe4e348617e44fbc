import { malformed, mutationRefused } from './errors.ts'
import { isDocumentId } from './ids.ts'
import { arrayKeysAdded } from './keys.ts'
import type { LakeDocument } from './model.ts'
import { checkRevision, type Patch, patched } from './patch.ts'
import type { Staging } from './staging.ts'

/** What one mutation came to, for the answer. */
export interface MutationResult {
  readonly id: string
  readonly operation: 'create' | 'update' | 'delete' | 'none'
}

export interface MutationOptions {
  /** The ids a query matches, all drafts and versions included. */
  readonly matching: (query: string, params: Readonly<Record<string, unknown>>) => readonly string[]
  /** Makes a name for a document that comes without one. */
  readonly newId: () => string
  /** Gives elements of lists the `_key` that the Studio needs, where they lack one. */
  readonly autoGenerateArrayKeys?: boolean
}

type Fields = Readonly<Record<string, unknown>>

/** Carries out mutations in their order. Refuses all of them when one cannot be. */
export function applyMutations(
  staging: Staging,
  mutations: readonly unknown[],
  options: MutationOptions,
): MutationResult[] {
  return mutations.flatMap((mutation, index) => applyMutation(staging, mutation, index, options))
}

function applyMutation(
  staging: Staging,
  mutation: unknown,
  index: number,
  options: MutationOptions,
): MutationResult[] {
  const [[kind, body] = [], ...more] = Object.entries(isFields(mutation) ? mutation : {})
  if (kind === undefined || more.length > 0 || !isFields(body))
    throw malformed('A mutation is an object with one operation', index)
  switch (kind) {
    case 'create':
    case 'createIfNotExists':
    case 'createOrReplace':
      return [create(staging, kind, body, index, options)]
    case 'delete':
      return idsOf(body, options, index).map(id => remove(staging, id, body, index))
    case 'patch':
      return idsOf(body, options, index).map(id => patch(staging, id, body, index, options))
    default:
      throw malformed(`Unknown mutation "${kind}"`, index)
  }
}

function create(
  staging: Staging,
  kind: 'create' | 'createIfNotExists' | 'createOrReplace',
  body: Fields,
  index: number,
  options: MutationOptions,
): MutationResult {
  const document = documentOf(body, index, options)
  const id = document._id
  const existing = staging.get(id)
  if (existing && kind === 'createIfNotExists') return { id, operation: 'none' }
  if (existing && kind === 'create') {
    const description = `Document by ID "${id}" already exists`
    throw mutationRefused({ type: 'documentAlreadyExistsError', description, id }, index)
  }
  staging.put(id, document, { [kind]: document })
  return { id, operation: existing ? 'update' : 'create' }
}

/** A name that ends with a dot is a beginning: the rest is made here. */
function documentOf(body: Fields, index: number, { newId, autoGenerateArrayKeys }: MutationOptions) {
  const given = body._id ?? ''
  const id = given === '' || (typeof given === 'string' && given.endsWith('.')) ? `${given}${newId()}` : given
  if (!isDocumentId(id)) throw malformed(`Invalid document ID ${JSON.stringify(id)}`, index)
  if (typeof body._type !== 'string' || body._type === '')
    throw malformed(`Document "${id}" has no "_type"`, index)
  const { _rev, _updatedAt, ...fields } = body
  const document = { ...fields, _id: id, _type: body._type } as LakeDocument
  return autoGenerateArrayKeys ? arrayKeysAdded(document, newId) : document
}

function remove(staging: Staging, id: string, body: Fields, index: number): MutationResult {
  const existing = staging.get(id)
  if (!existing) return { id, operation: 'none' }
  checkRevision(existing, body.ifRevisionID, index)
  staging.put(id, null, { delete: { id } })
  return { id, operation: 'delete' }
}

function patch(
  staging: Staging,
  id: string,
  body: Patch,
  index: number,
  options: MutationOptions,
): MutationResult {
  const existing = staging.get(id)
  if (!existing) {
    const description = `The document with the ID "${id}" was not found`
    throw mutationRefused({ type: 'documentNotFoundError', description, id }, index)
  }
  checkRevision(existing, body.ifRevisionID, index)
  const result = patched(existing, body, index)
  const { query, params, ifRevisionID, ...operations } = body
  staging.put(id, options.autoGenerateArrayKeys ? arrayKeysAdded(result, options.newId) : result, {
    patch: { ...operations, id },
  })
  return { id, operation: 'update' }
}

/** The documents that a patch or a deletion is for: one by its id, several by ids, or those of a query. */
function idsOf(body: Fields, { matching }: MutationOptions, index: number): readonly string[] {
  const { id, query, params } = body
  if (typeof query === 'string') return matching(query, isFields(params) ? params : {})
  const ids = Array.isArray(id) ? id : [id]
  if (!ids.every(isDocumentId)) throw malformed(`Invalid document ID ${JSON.stringify(id)}`, index)
  return ids
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
