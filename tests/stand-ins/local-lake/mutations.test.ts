import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { clientOf, mutate, openLake, post, SEED } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED] })
})

/** The refusal of mutations: status, the whole sentence, and the kind of the first that cannot be. */
async function refusalOf(...mutations: object[]) {
  const response = await mutate(lake, ...mutations)
  const { error } = await response.json()
  return { status: response.status, says: error.description, ...error.items[0] }
}

describe('a mutation', () => {
  it('that would leave a reference leading nowhere is refused by name', async () => {
    const set = { 'ngos[0]._ref': 'ngo-gone' }
    expect(await refusalOf({ patch: { id: 'ngoList-2026', set } })).toMatchObject({
      status: 409,
      says: 'The mutation(s) failed: Document "ngoList-2026" references non-existent document "ngo-gone"',
      error: { type: 'documentReferencesNonExistentDocumentError' },
    })
  })

  it('that deletes what another document refers to is refused, naming who refers', async () => {
    expect(await refusalOf({ delete: { id: 'ngo-msf' } })).toMatchObject({
      status: 409,
      says: expect.stringContaining(
        'Document "ngo-msf" cannot be deleted as there are references to it from "ngoList-2026"',
      ),
      error: { type: 'documentHasExistingReferencesError', id: 'ngo-msf', referencingIDs: ['ngoList-2026'] },
    })
    expect(lake.store.documents.get('ngo-msf')).toBeDefined()
  })

  it('may take a document and the reference to it away together', async () => {
    const unset = ['ngos[_ref=="ngo-msf"]']
    const response = await mutate(
      lake,
      { delete: { id: 'ngo-msf' } },
      { patch: { id: 'ngoList-2026', unset } },
    )
    expect(response.status).toBe(200)
  })

  it('may refer weakly to what is not there', async () => {
    const create = { _type: 'note', to: { _ref: 'nobody', _weak: true } }
    expect((await mutate(lake, { create })).status).toBe(200)
  })

  it('of a document that is there already is no creation', async () => {
    expect(await refusalOf({ create: { _id: 'settings', _type: 'settings' } })).toMatchObject({
      status: 409,
      error: { type: 'documentAlreadyExistsError', id: 'settings' },
    })
  })

  it('tells which of several cannot be', async () => {
    const refused = await refusalOf({ create: { _type: 'note' } }, { patch: { id: 'nobody', set: { a: 1 } } })
    expect(refused).toMatchObject({
      index: 1,
      error: {
        type: 'documentNotFoundError',
        description: 'The document with the ID "nobody" was not found',
      },
    })
  })

  it('of nothing deletes nothing, and says so', async () => {
    const response = await mutate(lake, { delete: { id: 'nobody' } })
    expect((await response.json()).results).toEqual([{ id: 'nobody', operation: 'none' }])
  })

  it('cannot be sent twice under one name', async () => {
    const send = () =>
      post(lake, '/vX/data/mutate/production', {
        mutations: [{ createOrReplace: { _id: 'a', _type: 'note' } }],
        transactionId: 'once',
      })
    expect((await send()).status).toBe(200)
    const again = await send()
    expect(again.status).toBe(409)
    expect((await again.json()).error.items[0].error.type).toBe('transactionAlreadyExistsError')
  })

  it.each([
    ['no operation', {}],
    ['two operations', { create: { _type: 'a' }, delete: { id: 'a' } }],
    ['an unknown operation', { destroy: { id: 'a' } }],
    ['no type', { create: { _id: 'a' } }],
    ['a name with a blank', { create: { _id: 'a b', _type: 'note' } }],
    ['a name that leads out of the folder', { create: { _id: '../a', _type: 'note' } }],
    ['no name', { delete: {} }],
    ['an unknown patch operation', { patch: { id: 'settings', setAll: {} } }],
    ['a path that is none', { patch: { id: 'settings', set: { 'a~b': 1 } } }],
    ['another type', { patch: { id: 'settings', set: { _type: 'other' } } }],
    ['another name', { patch: { id: 'settings', set: { _id: 'other' } } }],
    ['more levels than there may be', { create: { _type: 'note', deep: nested(30) } }],
    ['a field that cannot be', { create: JSON.parse('{"_type":"note","__proto__":{"a":1}}') }],
  ])('with %s is refused, and nothing changes', async (_, mutation) => {
    const before = lake.store.version()
    const response = await mutate(lake, mutation)
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({ type: 'mutationError' })
    expect(lake.store.version()).toBe(before)
  })

  it('of ten thousand levels is refused too', async () => {
    const body = `{"mutations":[{"create":{"_type":"note","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}}]}`
    const response = await lake.fetch(
      new Request('http://localhost:4321/vX/data/mutate/production', { method: 'POST', body }),
    )
    expect(response.status).toBe(400)
  })

  it('keeps the time of creation, and sets the time of change', async () => {
    const client = clientOf(lake)
    const created = await client.create({ _id: 'a', _type: 'note', _createdAt: '2020-01-01T00:00:00Z' })
    expect(created._createdAt).toBe('2020-01-01T00:00:00Z')
    const replaced = await client.createOrReplace({
      _id: 'a',
      _type: 'note',
      _updatedAt: '2020-01-01T00:00:00Z',
    })
    expect(replaced._createdAt).toBe('2020-01-01T00:00:00Z')
    expect(replaced._updatedAt).not.toBe('2020-01-01T00:00:00Z')
  })

  it('of the same moment as others is carried out one after the other', async () => {
    await mutate(lake, { create: { _id: 'counter', _type: 'note', n: 0 } })
    const increase = { patch: { id: 'counter', inc: { n: 1 } } }
    await Promise.all(Array.from({ length: 50 }, () => mutate(lake, increase)))
    expect(lake.store.documents.get('counter')?.n).toBe(50)
  })
})

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { inner: nested(levels - 1) }
}
