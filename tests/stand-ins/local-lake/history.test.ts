import { applyPatch } from 'mendoza'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { withoutRevision } from '#stand-ins/local-lake/staging.ts'
import { act, ask, mutate, openLake } from './support.ts'

const [draftId, publishedId] = ['drafts.a', 'a']

let lake: Lake
let now: number

beforeEach(async () => {
  now = Date.parse('2026-03-10T09:00:00Z')
  lake = await openLake({ clock: () => (now += 1000) })
})

const revision = async (response: Promise<Response>): Promise<string> =>
  (await (await response).json()).transactionId
const edit = (set: object) =>
  revision(act(lake, { actionType: 'sanity.action.document.edit', draftId, publishedId, patch: { set } }))
const publish = () =>
  revision(act(lake, { actionType: 'sanity.action.document.publish', draftId, publishedId }))
const create = (_id: string, more: object = {}) =>
  revision(mutate(lake, { create: { _id, _type: 'note', ...more } }))

const history = async (path: string) => (await ask(lake, `/vX/data/history/production/${path}`)).json()
const events = async (id = 'a') => (await history(`events/documents/${id}`)).events[id]

async function transactions(asked: string) {
  const text = await (await ask(lake, `/vX/data/history/production/transactions/${asked}`)).text()
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

describe('the history of a document', () => {
  it('gives a draft as it would have begun, by a revision that only the published document has', async () => {
    const first = await create('a', { text: 'one' })
    const { documents } = await history(`documents/drafts.a?revision=${first}`)
    expect(documents).toMatchObject([{ _id: 'drafts.a', text: 'one', _rev: first }])
  })

  it('gives it as it was at any revision', async () => {
    const first = await create('a', { text: 'one' })
    const second = await revision(mutate(lake, { patch: { id: 'a', set: { text: 'two' } } }))
    await revision(mutate(lake, { delete: { id: 'a' } }))
    const at = async (asked: string) => (await history(`documents/a,drafts.a?${asked}`)).documents
    expect(await at(`revision=${first}`)).toMatchObject([{ _id: 'a', text: 'one', _rev: first }])
    expect(await at(`revision=${second}`)).toMatchObject([{ _id: 'a', text: 'two', _rev: second }])
    expect(await at('lastRevision=true')).toMatchObject([{ _id: 'a', text: 'two', _rev: second }])
    expect(await at('revision=unknown')).toEqual([])
    expect(await at('')).toEqual([])
  })

  it('gives it as it was at any time', async () => {
    await create('a', { text: 'one' })
    const between = new Date(now + 500).toISOString()
    await revision(mutate(lake, { patch: { id: 'a', set: { text: 'two' } } }))
    expect((await history(`documents/a?time=${between}`)).documents).toMatchObject([{ text: 'one' }])
  })

  it('tells its transactions, whose effects lead from each to the next', async () => {
    await create('other')
    const ids = [await create('a', { text: 'one' }), await edit({ text: 'two' }), await publish()]
    const told = await transactions('a,drafts.a?effectFormat=mendoza')
    expect(told.map(({ id }) => id)).toEqual(ids)
    expect(told[1]).toMatchObject({
      author: 'operator',
      timestamp: expect.any(String),
      documentIDs: ['drafts.a'],
    })
    let followed: unknown = null
    for (const { effects } of told) followed = effects.a ? applyPatch(followed, effects.a.apply) : followed
    expect(followed).toEqual(withoutRevision(lake.store.documents.get('a') ?? null))
    for (const { effects } of told.reverse())
      followed = effects.a ? applyPatch(followed, effects.a.revert) : followed
    expect(followed).toBeNull()
  })

  it('tells a part of them: from one to another, the newest first, no more than asked for', async () => {
    const ids: string[] = [await create('a', { n: 0 })]
    for (let n = 1; n < 5; n++) ids.push(await revision(mutate(lake, { patch: { id: 'a', set: { n } } })))
    const told = async (asked: string) => (await transactions(`a?${asked}`)).map(({ id }) => id)
    expect(await told(`fromTransaction=${ids[1]}&toTransaction=${ids[3]}`)).toEqual(ids.slice(1, 4))
    expect(await told('reverse=true&limit=2')).toEqual([ids[4], ids[3]])
    expect(await told('fromTransaction=unknown')).toEqual([])
    const [, , third] = await transactions('a')
    expect(await told(`fromTime=${third.timestamp}`)).toEqual(ids.slice(2))
    expect(await told(`toTime=${third.timestamp}`)).toEqual(ids.slice(0, 3))
  })

  it('tells of the documents asked for only, and without content, when asked to', async () => {
    await create(draftId)
    await publish()
    const [, told] = await transactions('a,drafts.a?includeIdentifiedDocumentsOnly=true&excludeContent=true')
    expect(told.documentIDs).toEqual(['a', 'drafts.a'])
    expect(told).not.toHaveProperty('mutations')
    const [alone] = await transactions('a?includeIdentifiedDocumentsOnly=true&effectFormat=mendoza')
    expect(Object.keys(alone.effects)).toEqual(['a'])
  })

  it('tells a life in events; a publication names the draft’s revision before it', async () => {
    const created = await create(draftId)
    const edited = await edit({ text: 'x' })
    const published = await publish()
    const again = await edit({ text: 'y' })
    await act(lake, { actionType: 'sanity.action.document.discard', draftId })
    await act(lake, { actionType: 'sanity.action.document.unpublish', draftId, publishedId })
    await act(lake, { actionType: 'sanity.action.document.discard', draftId })
    expect(await events()).toMatchObject([
      { type: 'deleteDocumentGroup', documentId: 'a' },
      { type: 'unpublishDocument', versionId: draftId, versionRevisionId: expect.any(String) },
      { type: 'deleteDocumentVersion', versionId: draftId, versionRevisionId: again },
      { type: 'createDocumentVersion', versionId: draftId, versionRevisionId: again },
      {
        type: 'publishDocumentVersion',
        id: published,
        revisionId: published,
        versionId: draftId,
        versionRevisionId: edited,
        publishCause: { type: 'document.publish' },
        author: 'operator',
        timestamp: expect.any(String),
      },
      { type: 'createDocumentVersion', id: created, versionRevisionId: created },
    ])
  })

  it('tells of a published document that is written directly, and of releases', async () => {
    await create('a')
    await mutate(lake, { patch: { id: 'a', set: { n: 1 } } })
    await create('versions.spring.a')
    expect(await events()).toMatchObject([
      { type: 'createDocumentVersion', versionId: 'versions.spring.a', releaseId: 'spring' },
      { type: 'updateLiveDocument', documentId: 'a' },
      { type: 'createLiveDocument', documentId: 'a' },
    ])
  })
})
