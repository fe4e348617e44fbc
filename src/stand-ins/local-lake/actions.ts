import { malformed, mutationRefused } from './errors.ts'
import { draftOf, isDocumentId, isDraft, isPublished, isVersion, publishedOf } from './ids.ts'
import type { LakeDocument } from './model.ts'
import { checkRevision, patched } from './patch.ts'
import { strengthened } from './references.ts'
import type { Staging } from './staging.ts'

type Fields = Readonly<Record<string, unknown>>

/** One action in hand: what it says, where it acts, and its place in the request. */
interface Action {
  readonly fields: Fields
  readonly staging: Staging
  readonly index: number
}

/** Every edit in the Studio arrives as one of these; what each means is in the hosted API's reference of actions. */
const ACTIONS: Readonly<Record<string, (action: Action) => void>> = {
  'sanity.action.document.create': create,
  'sanity.action.document.edit': edit,
  'sanity.action.document.publish': publish,
  'sanity.action.document.unpublish': unpublish,
  'sanity.action.document.delete': deleteGroup,
  'sanity.action.document.discard': action => discard(action, 'draftId'),
  'sanity.action.document.replaceDraft': replaceDraft,
  'sanity.action.document.version.create': createVersion,
  'sanity.action.document.version.discard': action => discard(action, 'versionId'),
  'sanity.action.document.version.replace': replaceVersion,
}

/** Carries out actions in their order. Refuses all of them when one cannot be. */
export function applyActions(staging: Staging, actions: readonly unknown[]): void {
  for (const [index, fields] of actions.entries()) {
    if (typeof fields !== 'object' || fields === null) throw malformed('An action is an object', index)
    const { actionType } = fields as Fields
    const run = Object.hasOwn(ACTIONS, String(actionType)) ? ACTIONS[String(actionType)] : undefined
    if (!run) throw malformed(`The local lake does not know the action "${actionType}"`, index)
    run({ fields: fields as Fields, staging, index })
  }
}

/** Creates a draft. The older form names it in `attributes`, with `publishedId` for its group. */
function create({ fields, staging, index }: Action): void {
  const document = documentIn(fields, 'attributes', index)
  const publishedId = idIn({ fields, staging, index }, 'publishedId')
  const id = isPublished(document._id) ? draftOf(publishedId) : document._id
  if (!staging.get(id)) return void put(staging, 'create', { ...document, _id: id })
  if (fields.ifExists !== 'ignore') throw exists(id, index)
}

/** Edits the draft; one that is not there yet begins as a copy of what is published. */
function edit(action: Action): void {
  const { fields, staging, index } = action
  const draftId = idIn(action, 'draftId')
  const publishedId = idIn(action, 'publishedId')
  if (typeof fields.patch !== 'object' || fields.patch === null) throw malformed('"patch" is missing', index)
  if (!staging.get(draftId)) {
    const published = staging.get(publishedId)
    if (!published) throw notFound(draftId, index)
    put(staging, 'create', { ...published, _id: draftId })
  }
  const draft = staging.get(draftId) as LakeDocument
  staging.put(draftId, patched(draft, fields.patch as Fields, index), {
    patch: { ...fields.patch, id: draftId },
  })
}

/** The draft takes the published document's place and is gone. */
function publish(action: Action): void {
  const { fields, staging, index } = action
  const draft = documentAt(action, 'draftId')
  const publishedId = idIn(action, 'publishedId')
  const published = staging.get(publishedId)
  checkRevision(draft, fields.ifDraftRevisionId, index)
  if (published) checkRevision(published, fields.ifPublishedRevisionId, index)
  const _createdAt = published?._createdAt ?? draft._createdAt
  put(staging, 'createOrReplace', { ...strengthened(draft), _id: publishedId, _createdAt })
  staging.put(draft._id, null, { delete: { id: draft._id } })
}

/** What was published becomes a draft, unless there is a newer one. */
function unpublish(action: Action): void {
  const { staging } = action
  const published = documentAt(action, 'publishedId')
  const draftId = idIn(action, 'draftId')
  if (!staging.get(draftId)) put(staging, 'create', { ...published, _id: draftId })
  staging.put(published._id, null, { delete: { id: published._id } })
}

/** Takes a document away with its drafts; refuses when there is a draft the asker did not know of. */
function deleteGroup(action: Action): void {
  const { fields, staging, index } = action
  const publishedId = idIn(action, 'publishedId')
  const drafts = Array.isArray(fields.includeDrafts) ? (fields.includeDrafts as unknown[]) : []
  const draftId = draftOf(publishedId)
  if (staging.get(draftId) && !drafts.includes(draftId)) {
    const description = `Document "${publishedId}" cannot be deleted: it has a draft that is not to be deleted`
    throw mutationRefused({ type: 'documentHasDraftError', description, id: publishedId }, index)
  }
  const all = [publishedId, ...drafts].filter(id => isDocumentId(id) && staging.get(id))
  if (all.length === 0) throw notFound(publishedId, index)
  for (const id of all as string[]) staging.put(id, null, { delete: { id } })
}

/** Throws a draft or a version away. */
function discard(action: Action, field: 'draftId' | 'versionId'): void {
  const { _id } = documentAt(action, field)
  if (isPublished(_id))
    throw malformed(`"${_id}" is published: it can be deleted, not discarded`, action.index)
  action.staging.put(_id, null, { delete: { id: _id } })
}

function replaceDraft(action: Action): void {
  const { fields, staging, index } = action
  const document = documentIn(fields, 'attributes', index)
  const publishedId = idIn(action, 'publishedId')
  const id = isDraft(document._id) ? document._id : draftOf(publishedId)
  if (!staging.get(id) && !staging.get(publishedId)) throw notFound(id, index)
  put(staging, 'createOrReplace', { ...document, _id: id })
}

/** Creates a version for a release, or a draft: from a document given whole, or from one that is there. */
function createVersion(action: Action): void {
  const { fields, staging, index } = action
  if (fields.document !== undefined) {
    const document = documentIn(fields, 'document', index)
    if (staging.get(document._id)) throw exists(document._id, index)
    return void put(staging, 'create', document)
  }
  const base = documentAt(action, 'baseId')
  const versionId = idIn(action, 'versionId')
  checkRevision(base, fields.ifBaseRevisionId, index)
  if (staging.get(versionId)) throw exists(versionId, index)
  put(staging, 'create', { ...base, _id: versionId })
}

function replaceVersion({ fields, staging, index }: Action): void {
  const document = documentIn(fields, 'document', index)
  if (!isVersion(document._id) && !isDraft(document._id))
    throw malformed(`"${document._id}" is neither a draft nor a version`, index)
  if (!staging.get(document._id) && !staging.get(publishedOf(document._id)))
    throw notFound(document._id, index)
  put(staging, 'createOrReplace', document)
}

function put(staging: Staging, kind: 'create' | 'createOrReplace', document: LakeDocument): void {
  const { _rev, _updatedAt, ...content } = document
  const fresh = content as LakeDocument
  staging.put(document._id, fresh, { [kind]: fresh })
}

function idIn({ fields, index }: Action, field: string): string {
  const id = fields[field]
  if (!isDocumentId(id)) throw malformed(`"${field}" is not a document ID: ${JSON.stringify(id)}`, index)
  return id
}

function documentAt(action: Action, field: string): LakeDocument {
  const id = idIn(action, field)
  const document = action.staging.get(id)
  if (!document) throw notFound(id, action.index)
  return document
}

function documentIn(fields: Fields, field: string, index: number): LakeDocument {
  const given = fields[field] as Partial<LakeDocument> | null | undefined
  if (!isDocumentId(given?._id) || typeof given?._type !== 'string')
    throw malformed(`"${field}" is not a document with "_id" and "_type"`, index)
  return given as LakeDocument
}

function notFound(id: string, index: number) {
  const description = `The document with the ID "${id}" was not found`
  return mutationRefused({ type: 'documentNotFoundError', description, id }, index)
}

function exists(id: string, index: number) {
  const description = `Document by ID "${id}" already exists`
  return mutationRefused({ type: 'documentAlreadyExistsError', description, id }, index)
}
