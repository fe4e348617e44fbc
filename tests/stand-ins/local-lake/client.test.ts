import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { clientOf, collect, connected, openLake, SEED } from './support.ts'

let lake: Lake
let client: ReturnType<typeof clientOf>

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED] })
  client = clientOf(lake)
})

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#c04010' } })
    .png()
    .toBuffer()

describe('the real client', () => {
  it('creates a document and reads it back with the lake’s own fields', async () => {
    const created = await client.create({ _type: 'note', text: 'hello' })
    expect(created).toMatchObject({
      _id: expect.stringMatching(/^\w{22}$/),
      _type: 'note',
      _rev: expect.any(String),
      _createdAt: expect.any(String),
      _updatedAt: expect.any(String),
      text: 'hello',
    })
    expect(await client.getDocument(created._id)).toEqual(created)
  })

  it('creates with a name of its own, if it is not there, and replaces', async () => {
    await client.create({ _id: 'a', _type: 'note', n: 1 })
    await client.createIfNotExists({ _id: 'a', _type: 'note', n: 2 })
    expect((await client.getDocument('a'))?.n).toBe(1)
    const replaced = await client.createOrReplace({ _id: 'a', _type: 'note', n: 3 })
    expect(replaced.n).toBe(3)
  })

  it('completes a name that is only begun', async () => {
    const created = await client.create({ _id: 'drafts.', _type: 'note' })
    expect(created._id).toMatch(/^drafts\.\w{22}$/)
  })

  it('patches: set, set if missing, unset, increase, decrease', async () => {
    await client.create({ _id: 'a', _type: 'note', n: 1, gone: true, deep: { list: [{ _key: 'k', x: 1 }] } })
    const patched = await client
      .patch('a')
      .set({ 'deep.list[_key=="k"].x': 5, title: 'T' })
      .setIfMissing({ title: 'other', extra: [] })
      .unset(['gone'])
      .inc({ n: 4 })
      .dec({ n: 1 })
      .commit()
    expect(patched).toMatchObject({ n: 4, title: 'T', extra: [], deep: { list: [{ _key: 'k', x: 5 }] } })
    expect(patched).not.toHaveProperty('gone')
  })

  it('inserts, appends, prepends and splices', async () => {
    await client.create({ _id: 'a', _type: 'note', list: ['b'] })
    await client.patch('a').append('list', ['c']).commit()
    await client.patch('a').prepend('list', ['a']).commit()
    await client.patch('a').insert('after', 'list[-1]', ['d']).commit()
    await client.patch('a').splice('list', 1, 1, ['B']).commit()
    expect((await client.getDocument('a'))?.list).toEqual(['a', 'B', 'c', 'd'])
  })

  it('patches a text by its difference', async () => {
    await client.create({ _id: 'a', _type: 'note', text: 'Médicos Sin Fronteras' })
    await client
      .patch('a')
      .diffMatchPatch({ text: '@@ -1,7 +1,10 @@\n-M%C3%A9dicos\n+Enfermeras\n' })
      .commit()
    expect((await client.getDocument('a'))?.text).toBe('Enfermeras Sin Fronteras')
  })

  it('patches and deletes what a query matches', async () => {
    await client.patch({ query: '*[_type == "ngo"]' }).set({ checked: true }).commit()
    expect(await client.fetch('count(*[_type == "ngo" && checked])')).toBe(7)
    await client.delete({ query: '*[_type == $type]', params: { type: 'page' } })
    expect(await client.fetch('count(*[_type == "page"])')).toBe(0)
  })

  it('gives elements of lists the keys that they lack, when asked to', async () => {
    const created = await client.create(
      { _type: 'note', list: [{ x: 1 }, { _key: 'own' }, 'plain'] },
      { autoGenerateArrayKeys: true },
    )
    expect(created.list).toEqual([{ _key: expect.any(String), x: 1 }, { _key: 'own' }, 'plain'])
  })

  it('carries out a transaction whole', async () => {
    const result = await client
      .transaction()
      .create({ _id: 'a', _type: 'note' })
      .patch('a', patch => patch.set({ n: 1 }))
      .delete('page-who-we-are')
      .commit({ transactionId: 'mine' } as object)
    expect(result.results.map(({ id, operation }) => `${operation} ${id}`)).toEqual([
      'create a',
      'update a',
      'delete page-who-we-are',
    ])
    expect(await client.fetch('*[_id == "a"][0]{_rev, n}')).toEqual({ _rev: result.transactionId, n: 1 })
  })

  it('keeps nothing of a transaction of which one part cannot be', async () => {
    const before = await client.fetch('*')
    const failing = client
      .transaction()
      .create({ _id: 'a', _type: 'note' })
      .patch('nobody', { set: { n: 1 } })
    await expect(failing.commit()).rejects.toMatchObject({ statusCode: 409 })
    expect(await client.fetch('*')).toEqual(before)
  })

  it('tries a change without making it', async () => {
    const tried = await client.create({ _id: 'a', _type: 'note' }, { dryRun: true })
    expect(tried._id).toBe('a')
    expect(await client.getDocument('a')).toBeUndefined()
  })

  it('refuses a change that is based on an old revision', async () => {
    const { _rev } = await client.create({ _id: 'a', _type: 'note', n: 1 })
    await client.patch('a').ifRevisionId(_rev).set({ n: 2 }).commit()
    await expect(client.patch('a').ifRevisionId(_rev).set({ n: 3 }).commit()).rejects.toMatchObject({
      statusCode: 409,
      details: {
        items: [{ error: { type: 'documentRevisionIDDoesNotMatchError', expectedRevisionID: _rev } }],
      },
    })
    expect((await client.getDocument('a'))?.n).toBe(2)
  })

  it('reads several documents in the order asked for', async () => {
    const found = await client.getDocuments(['ngo-irc', 'nobody', 'ngo-msf'])
    expect(found.map(document => document?._id)).toEqual(['ngo-irc', undefined, 'ngo-msf'])
  })

  it('reads all versions of a document', async () => {
    await client.create({ _id: 'drafts.ngo-msf', _type: 'ngo' })
    const found = await client.getDocument('ngo-msf', { includeAllVersions: true })
    expect(found.map(({ _id }) => _id)).toEqual(['drafts.ngo-msf', 'ngo-msf'])
  })

  it('sees drafts in the place of what is published when it asks for them', async () => {
    await client.create({ _id: 'drafts.settings', _type: 'settings', contactEmail: 'draft@example.org' })
    const asked = '*[_id == "settings"][0]{_id, _originalId, contactEmail}'
    expect(await client.fetch(asked, {}, { perspective: 'drafts' })).toEqual({
      _id: 'settings',
      _originalId: 'drafts.settings',
      contactEmail: 'draft@example.org',
    })
    expect(await client.fetch(asked)).toMatchObject({ contactEmail: 'hello@example.org' })
  })

  it('sees a release in its order of strength', async () => {
    await client.create({ _id: 'versions.spring.settings', _type: 'settings', contactEmail: 'r@example.org' })
    await client.create({ _id: 'drafts.settings', _type: 'settings', contactEmail: 'd@example.org' })
    const asked = '*[_id == "settings"][0].contactEmail'
    const seen = (...perspective: string[]) => client.fetch(asked, {}, { perspective })
    expect(await seen('spring', 'drafts')).toBe('r@example.org')
    expect(await seen('drafts', 'spring')).toBe('d@example.org')
  })

  it('follows references, also from a draft', async () => {
    expect(await client.fetch('*[_type == "ngoList"][0].ngos[]->title.es')).toHaveLength(7)
  })

  it('edits, publishes and unpublishes by actions', async () => {
    const [draftId, publishedId] = ['drafts.settings', 'settings']
    await client.action({
      actionType: 'sanity.action.document.edit',
      draftId,
      publishedId,
      patch: { set: { contactEmail: 'new@example.org' } },
    })
    expect((await client.getDocument(publishedId))?.contactEmail).toBe('hello@example.org')
    await client.action({ actionType: 'sanity.action.document.publish', draftId, publishedId })
    expect((await client.getDocument(publishedId))?.contactEmail).toBe('new@example.org')
    expect(await client.getDocument(draftId)).toBeUndefined()
  })

  it('hears of changes to what it listens for', async () => {
    const listening = client.listen(
      '*[_type == $type]',
      { type: 'note' },
      { events: ['welcome', 'mutation'] },
    )
    const events = collect(listening, 3)
    await connected()
    await client.create({ _id: 'a', _type: 'note', n: 1 })
    await client.create({ _id: 'b', _type: 'other' })
    await client.delete('a')
    expect(await events).toMatchObject([
      { type: 'welcome', listenerName: expect.any(String) },
      { type: 'mutation', transition: 'appear', documentId: 'a', result: { n: 1 } },
      { type: 'mutation', transition: 'disappear', documentId: 'a' },
    ])
  })

  it('hears that what it shows may be old, by the tag of its answers', async () => {
    const { syncTags } = await client.fetch('*', {}, { filterResponse: false })
    const events = collect(client.live.events(), 2)
    await connected()
    await client.create({ _id: 'drafts.a', _type: 'note' })
    await client.create({ _id: 'a', _type: 'note' })
    expect(await events).toMatchObject([{ type: 'welcome' }, { type: 'message', tags: syncTags }])
  })

  it('uploads a picture once, however often it is sent', async () => {
    const bytes = await picture()
    const first = await client.assets.upload('image', bytes, { filename: 'red.png', title: 'Red' })
    const second = await client.assets.upload('image', bytes, { filename: 'again.png' })
    expect(second._id).toBe(first._id)
    expect(first).toMatchObject({
      _id: expect.stringMatching(/^image-[0-9a-f]{40}-40x30-png$/),
      originalFilename: 'red.png',
      title: 'Red',
      mimeType: 'image/png',
      metadata: { dimensions: { width: 40, height: 30 }, hasAlpha: false, isOpaque: true },
    })
  })

  it('uploads any file', async () => {
    const asset = await client.assets.upload('file', await readFile(SEED), { filename: 'seed.ndjson' })
    expect(asset).toMatchObject({
      extension: 'ndjson',
      url: expect.stringContaining('/files/local/production/'),
    })
  })

  it('finds the user, the project and the datasets', async () => {
    expect(await client.users.getById('me')).toMatchObject({ id: 'operator', name: 'Operator' })
    expect(await client.projects.getById('local')).toMatchObject({ id: 'local' })
    expect(await client.datasets.list()).toEqual([{ name: 'production', aclMode: 'private' }])
  })

  it('is told that releases are not to be had here', async () => {
    await expect(client.releases.create({ releaseId: 'spring' })).rejects.toMatchObject({ statusCode: 400 })
  })
})
