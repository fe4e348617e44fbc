import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { act, mutate, openLake } from './support.ts'

const [draftId, publishedId] = ['drafts.a', 'a']
const EDIT = { actionType: 'sanity.action.document.edit', draftId, publishedId }
const PUBLISH = { actionType: 'sanity.action.document.publish', draftId, publishedId }
const UNPUBLISH = { actionType: 'sanity.action.document.unpublish', draftId, publishedId }
const DISCARD = { actionType: 'sanity.action.document.discard', draftId }
const DELETE = { actionType: 'sanity.action.document.delete', publishedId }

let lake: Lake

beforeEach(async () => {
  lake = await openLake()
})

const there = (id: string) => lake.store.documents.get(id)
const published = () => mutate(lake, { create: { _id: 'a', _type: 'note', text: 'old' } })

async function errorOf(...actions: object[]) {
  const response = await act(lake, ...actions)
  const { error } = await response.json()
  return { status: response.status, type: error.type, says: error.description, ...error.items[0] }
}

describe('an action', () => {
  it('creates a draft, once', async () => {
    const create = {
      actionType: 'sanity.action.document.create',
      publishedId,
      attributes: { _id: draftId, _type: 'note' },
      ifExists: 'fail',
    }
    expect((await act(lake, create)).status).toBe(200)
    expect(there(draftId)).toBeDefined()
    expect(await errorOf(create)).toMatchObject({ status: 409, type: 'actionError' })
    expect((await act(lake, { ...create, ifExists: 'ignore' })).status).toBe(200)
  })

  it('edits a draft that is not there yet as a copy of what is published', async () => {
    await published()
    await act(lake, { ...EDIT, patch: { set: { title: 'T' } } })
    expect(there(draftId)).toMatchObject({ text: 'old', title: 'T' })
    expect(there('a')).not.toHaveProperty('title')
  })

  it('that changes nothing is a transaction all the same: the Studio waits for it', async () => {
    await published()
    const heard: string[] = []
    lake.onTransaction(({ steps }) => heard.push(...steps.map(({ id }) => id)))
    await act(lake, { ...EDIT, patch: { unset: ['_empty_action_guard_pseudo_field_'] } })
    await act(lake, { ...EDIT, patch: { unset: ['_empty_action_guard_pseudo_field_'] } })
    expect(heard).toEqual([draftId, draftId])
  })

  it('publishes: the draft takes the place of what was published', async () => {
    await published()
    const _createdAt = there('a')?._createdAt
    await act(lake, { ...EDIT, patch: { set: { text: 'new' } } })
    await act(lake, PUBLISH)
    expect(there('a')).toMatchObject({ _id: 'a', text: 'new', _createdAt })
    expect(there(draftId)).toBeUndefined()
  })

  it('refuses to publish a draft that was changed meanwhile', async () => {
    await published()
    await act(lake, { ...EDIT, patch: { set: { text: 'new' } } })
    expect(await errorOf({ ...PUBLISH, ifDraftRevisionId: 'old' })).toMatchObject({
      status: 409,
      says: 'The action failed: Document "drafts.a" has unexpected revision ID: it was changed meanwhile',
    })
    expect(await errorOf({ ...PUBLISH, ifPublishedRevisionId: 'old' })).toMatchObject({ status: 409 })
    expect(there('a')?.text).toBe('old')
  })

  it('makes references strong that were weak until their target is published', async () => {
    await mutate(lake, { create: { _id: 'ngo', _type: 'ngo' } })
    const to = { _ref: 'ngo', _weak: true, _strengthenOnPublish: { type: 'ngo' } }
    await mutate(lake, { create: { _id: draftId, _type: 'note', to, list: [{ ...to, _key: 'k' }] } })
    await act(lake, PUBLISH)
    expect(there('a')).toMatchObject({ to: { _ref: 'ngo' }, list: [{ _key: 'k', _ref: 'ngo' }] })
    expect(JSON.stringify(there('a'))).not.toMatch(/_weak|_strengthen/)
  })

  it('refuses to publish a reference to what is not published', async () => {
    const to = { _ref: 'nobody', _weak: true, _strengthenOnPublish: { type: 'ngo' } }
    await mutate(lake, { create: { _id: draftId, _type: 'note', to } })
    expect(await errorOf(PUBLISH)).toMatchObject({ status: 409, says: expect.stringContaining('"nobody"') })
  })

  it('unpublishes into a draft, and leaves a newer draft alone', async () => {
    await published()
    await act(lake, UNPUBLISH)
    expect(there('a')).toBeUndefined()
    expect(there(draftId)?.text).toBe('old')
    await mutate(lake, { create: { _id: 'a', _type: 'note', text: 'other' } })
    await act(lake, UNPUBLISH)
    expect(there(draftId)?.text).toBe('old')
  })

  it('discards a draft, but nothing published', async () => {
    await mutate(lake, { create: { _id: draftId, _type: 'note' } })
    await act(lake, DISCARD)
    expect(there(draftId)).toBeUndefined()
    await published()
    expect(await errorOf({ ...DISCARD, draftId: 'a' })).toMatchObject({ status: 400 })
  })

  it('deletes a document with its draft, but not with one that the asker did not know of', async () => {
    await published()
    await mutate(lake, { create: { _id: draftId, _type: 'note' } })
    expect(await errorOf(DELETE)).toMatchObject({ status: 409 })
    expect((await act(lake, { ...DELETE, includeDrafts: [draftId] })).status).toBe(200)
    expect([there('a'), there(draftId)]).toEqual([undefined, undefined])
  })

  it('replaces a draft', async () => {
    await published()
    const attributes = { _id: draftId, _type: 'note', text: 'again' }
    await act(lake, { actionType: 'sanity.action.document.replaceDraft', publishedId, attributes })
    expect(there(draftId)?.text).toBe('again')
  })

  it('creates, replaces and discards a version', async () => {
    await published()
    const versionId = 'versions.spring.a'
    const version = 'sanity.action.document.version'
    await act(lake, { actionType: `${version}.create`, publishedId, baseId: 'a', versionId })
    expect(there(versionId)?.text).toBe('old')
    const document = { _id: versionId, _type: 'note', text: 'new' }
    await act(lake, { actionType: `${version}.replace`, document })
    expect(there(versionId)?.text).toBe('new')
    await act(lake, { actionType: `${version}.discard`, versionId })
    expect(there(versionId)).toBeUndefined()
  })

  it('among several that cannot all be leaves everything as it was', async () => {
    await published()
    const failed = await errorOf(
      { ...EDIT, patch: { set: { text: 'new' } } },
      { ...DISCARD, draftId: 'drafts.b' },
    )
    expect(failed).toMatchObject({ index: 1, error: { type: 'documentNotFoundError' } })
    expect(there(draftId)).toBeUndefined()
  })

  it.each([
    ['unknown', { actionType: 'sanity.action.release.create' }],
    ['named like a part of every object', { actionType: 'constructor' }],
    ['without a document', { actionType: 'sanity.action.document.create', publishedId }],
    ['without a patch', EDIT],
    ['with a name that is none', { ...EDIT, draftId: 'a b', patch: {} }],
  ])('that is %s is refused', async (_, action) => {
    expect(await errorOf(action)).toMatchObject({ status: 400, type: 'actionError' })
  })
})
