import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClientConfig, createClient } from '@sanity/client'
import { describe, expect, it } from 'vitest'
import { createLocalLake, type LocalLake } from '#local/lake/index.ts'
import { SEED, temporaryFolder } from './bench.ts'

const lake = createLocalLake({ seedFiles: [SEED] })

/** The real client, its requests answered by a lake; `methods` collects how they were made. */
function clientOf({ fetch }: LocalLake, methods: string[] = [], config: ClientConfig = {}) {
  return createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2026-05-04',
    apiHost: 'http://lake.localhost',
    useProjectHostname: false,
    useCdn: false,
    resolveFetch: () => (address, init) => {
      methods.push(init?.method ?? 'GET')
      return fetch(new Request(address, init))
    },
    ...config,
  })
}

const ask = (path: string, init?: RequestInit) =>
  lake.fetch(new Request(`http://lake.localhost${path}`, init))

async function lakeOf(...documents: readonly object[]): Promise<LocalLake> {
  const file = join(await temporaryFolder(), 'documents.ndjson')
  await writeFile(file, documents.map(document => JSON.stringify(document)).join('\n'))
  return createLocalLake({ seedFiles: [file] })
}

describe('the local lake', () => {
  it('answers the real client by GET', async () => {
    const methods: string[] = []
    const titles = await clientOf(lake, methods).fetch('*[_type == "ngoList"][0].ngos[0]->title.es')
    expect(titles).toBe('Médicos Sin Fronteras')
    expect(methods).toEqual(['GET'])
  })

  it('answers the real client by POST when the question is long', async () => {
    const methods: string[] = []
    const ids = Array.from({ length: 1_500 }, (_, index) => `ngo-${index}`)
    const found = await clientOf(lake, methods).fetch('count(*[_id in $ids])', { ids: [...ids, 'ngo-msf'] })
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

  it('answers in the shape of the API', async () => {
    const answer = await ask(`/v2026-05-04/data/query/production?query=${encodeURIComponent('1+$a')}&%24a=2`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      query: '1+$a',
      result: 3,
      ms: expect.any(Number),
      syncTags: ['s1:local'],
    })
  })

  it('leaves the query out of the answer when asked to', async () => {
    const answer = await ask('/vX/data/query/production?query=1&returnQuery=false')
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
    const count = (config: ClientConfig) => clientOf(own, [], config).fetch('count(*)')
    expect(await count({ perspective: 'published' })).toBe(1)
    expect(await count({ perspective: 'raw' })).toBe(3)
    expect(await count({})).toBe(1)
    expect(await count({ apiVersion: '2024-01-01' })).toBe(3)
  })

  it.each([
    ['another endpoint', '/v2026-05-04/data/mutate/production', 404],
    ['no version', '/data/query/production?query=1', 404],
    ['another dataset', '/v2026-05-04/data/query/staging?query=1', 404],
    ['no query', '/v2026-05-04/data/query/production', 400],
    ['a parameter that is not JSON', '/v2026-05-04/data/query/production?query=$a&$a=x', 400],
    ['an unknown perspective', '/v2026-05-04/data/query/production?query=1&perspective=drafts', 400],
  ])('refuses %s in the shape of the API', async (_, path, status) => {
    const answer = await ask(path)
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
    const answer = await ask('/v2026-05-04/data/query/production', { method, body })
    expect(answer.status).toBe(status)
  })

  it.each(['not json', '[]', '{"_id":"a"}', 'null'])('names the line of a seed that holds %s', async line => {
    const file = join(await temporaryFolder(), 'seed.ndjson')
    await writeFile(file, `{"_id":"a","_type":"t"}\n${line}\n`)
    expect(() => createLocalLake({ seedFiles: [file] })).toThrow(`${file}:2 is not a document`)
  })
})
