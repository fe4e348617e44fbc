import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from '@sanity/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { createLake, type Lake } from '#stand-ins/local-lake/index.ts'
import { ask, clientOf, openLake, SEED, temporaryFolder } from './support.ts'

let lake: Lake

beforeEach(async () => {
  lake = await openLake({ seedFiles: [SEED] })
})

async function lakeOf(...documents: readonly object[]): Promise<Lake> {
  const file = join(await temporaryFolder(), 'documents.ndjson')
  await writeFile(file, documents.map(document => JSON.stringify(document)).join('\n'))
  return openLake({ seedFiles: [file] })
}

/** A client that notes how its requests were made. */
function noting(methods: string[]) {
  return clientOf(lake, {
    resolveFetch: () => (address, init) => {
      methods.push(init?.method ?? 'GET')
      return lake.fetch(new Request(address, init))
    },
  })
}

describe('a query of the local lake', () => {
  it('answers the real client by GET', async () => {
    const methods: string[] = []
    const titles = await noting(methods).fetch('*[_type == "ngoList"][0].ngos[0]->title.es')
    expect(titles).toBe('Médicos Sin Fronteras')
    expect(methods).toEqual(['GET'])
  })

  it('answers the real client by POST when the question is long', async () => {
    const methods: string[] = []
    const ids = Array.from({ length: 1_500 }, (_, index) => `ngo-${index}`)
    const found = await noting(methods).fetch('count(*[_id in $ids])', { ids: [...ids, 'ngo-msf'] })
    expect(found).toBe(1)
    expect(methods).toEqual(['POST'])
  })

  it('answers one text with other parameters anew', async () => {
    const client = clientOf(lake)
    const byId = (id: string) => client.fetch('*[_id == $id][0]._id', { id })
    expect(await Promise.all([byId('ngo-msf'), byId('ngo-irc'), byId('settings')])).toEqual([
      'ngo-msf',
      'ngo-irc',
      'settings',
    ])
  })

  it.each([
    ['a list that is the same for every document', '*[_id in *[_type == "list"].of[]._ref]._id', ['a', 'b']],
    ['none of the list', '*[_type == "item" && !(_id in *[_type == "list"].of[]._ref)]._id', ['c']],
    ['a list of the document around it', '*[_type == "item" && _id in *[name == ^.likes]._id]._id', ['c']],
    [
      'a list of the document around it, one inside the other',
      '*[_type == "list"]{"its": *[_id in ^.of[]._ref]._id}[0].its',
      ['a', 'b'],
    ],
    ['a path', '*[_id in path("l")]._id', ['l']],
  ])('asks for what is in %s', async (_, query, ids) => {
    const ref = (_ref: string) => ({ _type: 'reference', _key: _ref, _ref })
    lake = await lakeOf(
      { _id: 'a', _type: 'item', name: 'one', likes: 'two' },
      { _id: 'b', _type: 'item', name: 'two', likes: 'one' },
      { _id: 'c', _type: 'item', name: 'three', likes: 'three' },
      { _id: 'l', _type: 'list', of: [ref('a'), ref('b')] },
    )
    expect(await clientOf(lake).fetch(query)).toEqual(ids)
  })

  it('answers in the shape of the API', async () => {
    const answer = await ask(
      lake,
      `/v2026-05-04/data/query/production?query=${encodeURIComponent('1+$a')}&%24a=2`,
    )
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      query: '1+$a',
      result: 3,
      ms: expect.any(Number),
      syncTags: ['s1:local'],
    })
  })

  it('leaves the query out of the answer when asked to', async () => {
    const answer = await ask(lake, '/vX/data/query/production?query=1&returnQuery=false')
    expect(await answer.json()).not.toHaveProperty('query')
  })

  it('tells the real client where a query does not parse', async () => {
    const asked = clientOf(lake).fetch('*[_type == ')
    await expect(asked).rejects.toMatchObject({
      statusCode: 400,
      details: { type: 'queryParseError', query: '*[_type == ', start: expect.any(Number) },
    })
  })

  it('shows drafts only in the raw perspective', async () => {
    const own = await lakeOf(
      { _id: 'a', _type: 't' },
      { _id: 'drafts.a', _type: 't' },
      { _id: 'versions.r.a', _type: 't' },
    )
    const count = (config: ClientConfig) => clientOf(own, config).fetch('count(*)')
    expect(await count({ perspective: 'published' })).toBe(1)
    expect(await count({ perspective: 'raw' })).toBe(3)
    expect(await count({})).toBe(1)
    expect(await count({ apiVersion: '2024-01-01' })).toBe(3)
  })

  it.each([
    ['another endpoint', '/v2026-05-04/data/nothing/production', 404],
    ['no version', '/data/query/production?query=1', 404],
    ['another dataset', '/v2026-05-04/data/query/staging?query=1', 404],
    ['no query', '/v2026-05-04/data/query/production', 400],
    ['a parameter that is not JSON', '/v2026-05-04/data/query/production?query=$a&$a=x', 400],
    ['an unknown perspective', '/v2026-05-04/data/query/production?query=1&perspective=a,b%20c', 400],
  ])('refuses %s in the shape of the API', async (_, path, status) => {
    const answer = await ask(lake, path)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({
      statusCode: status,
      error: expect.any(String),
      message: expect.any(String),
    })
  })

  it.each([
    ['text', 'POST', 'no json', 400],
    ['a list', 'POST', '[]', 400],
    ['another method', 'DELETE', null, 405],
  ])('refuses %s where a question belongs', async (_, method, body, status) => {
    const answer = await ask(lake, '/v2026-05-04/data/query/production', { method, body })
    expect(answer.status).toBe(status)
  })

  it.each(['not json', '[]', '{"_id":"a"}', 'null'])('names the line of a seed that holds %s', async line => {
    const file = join(await temporaryFolder(), 'seed.ndjson')
    await writeFile(file, `{"_id":"a","_type":"t"}\n${line}\n`)
    const opening = createLake({ dir: await temporaryFolder(), seedFiles: [file] })
    await expect(opening).rejects.toThrow(`${file}:2 is not a document`)
  })
})
