import { beforeEach, expect, it } from 'vitest'
import { ALL_PAGES, type CdnParts, cdnHeaders, createCdn, releaseKey } from '#server/http/page-cache/cdn.ts'

let sent: { url: string; method: string; key: string | null; authorization: string | null }[]
let answers: number[]
let errors: string[]
let waits: number[]
beforeEach(() => {
  sent = []
  answers = []
  errors = []
  waits = []
})

const cdn = (parts: Partial<CdnParts>) =>
  createCdn({
    purgeUrl: 'https://cdn.example/purge',
    paths: ['/es', '/fr', '/es/intro'],
    log: { error: (event, error) => void errors.push(`${event}: ${(error as Error).message}`) },
    async send(input, init) {
      const request = new Request(input as string, init)
      sent.push({
        url: request.url,
        method: request.method,
        key: request.headers.get('surrogate-key'),
        authorization: request.headers.get('authorization'),
      })
      return new Response(null, { status: answers.shift() ?? 200 })
    },
    sleep: async ms => void waits.push(ms),
    ...parts,
  })

it('tells a CDN that knows keys by one request, and again for what was on its way', async () => {
  await cdn({ token: 'a token of the CDN' }).purge(releaseKey('abc'))
  const request = {
    url: 'https://cdn.example/purge',
    method: 'POST',
    key: 'release-abc',
    authorization: 'Bearer a token of the CDN',
  }
  expect(sent).toEqual([request, request])
  expect(waits).toEqual([1_000])
  expect(errors).toEqual([])
})

it('asks a cache that knows no keys for each page anew', async () => {
  await cdn({ purgeUrl: 'http://127.0.0.1:8080{path}' }).purge(ALL_PAGES)
  expect(sent.slice(0, 3)).toEqual(
    ['/es', '/fr', '/es/intro'].map(path => ({
      url: `http://127.0.0.1:8080${path}`,
      method: 'GET',
      key: 'pages',
      authorization: null,
    })),
  )
  expect(sent).toHaveLength(6)
  expect(errors).toEqual([])
})

it('a CDN that fails once is told again, and one that goes on failing is reported once', async () => {
  answers = [503]
  await cdn({}).purge(ALL_PAGES)
  expect([sent.length, errors]).toEqual([2, []])
  answers = [503, 503]
  await cdn({}).purge(ALL_PAGES)
  expect(errors).toEqual(['cdn-not-purged: status 503'])
})

it('a page has the key of all pages and that of its release', () => {
  expect(cdnHeaders('abc')).toEqual([
    ['CDN-Cache-Control', 'public, max-age=60'],
    ['Surrogate-Key', 'pages release-abc'],
  ])
})
