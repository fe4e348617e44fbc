import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { defineContract } from '#wire/contract.ts'
import { call, type FakeCall, fakeApp } from '../fake-call.ts'

const contract = defineContract({
  method: 'POST',
  path: '/api/things/{key}',
  fieldWords: { wordInside: 'word_outside' },
  request: z.object({ name: z.string().max(5), count: z.int().optional() }),
  response: z.object({ said: z.string() }),
})
const reading = defineContract({
  method: 'GET',
  path: '/api/things/{key}',
  request: z.undefined(),
  response: z.object({ said: z.string() }),
})

const post = endpoint(contract, async ({ name }) => ({ said: name, secret: 'kept' }), { limit: 'gateway' })
const get = endpoint(reading, async (_, { param }) => ({ said: param('key') }), { limit: 'card-read' })

async function codeOf(response: Response): Promise<unknown> {
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const problem = (await response.json()) as { code: string; status: number }
  expect(problem.status).toBe(response.status)
  return problem.code
}

describe('an endpoint', () => {
  it('answers what the contract names and nothing else, never to be cached', async () => {
    const response = await call(post.POST, fakeApp().app, { body: { name: 'Aina', more: 1 } })
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toEqual({ said: 'Aina' })
  })

  it('answers 202 with the place of whoever waits, before anything is done, and counts asking again apart', async () => {
    const done: string[] = []
    const crowded = endpoint(
      contract,
      async ({ name }) => {
        done.push(name)
        return { said: name }
      },
      { limit: 'gateway', waitingRoom: true },
    )
    const place = { ahead: 7, waitMs: 5_000, askAgainMs: 2_500, isOver: false }
    const { app, uses } = fakeApp({
      waitingRoom: {
        holdsPlace: ({ attemptKey }) => attemptKey === 'a-key-that-waits-already',
        enter: async ({ left }) => ({ kind: 'waiting', ...place, cookie: `place=${left}` }),
      },
    })
    const body = { name: 'Aina' }
    const response = await call(crowded.POST, app, { body })
    expect(response.status).toBe(202)
    expect(await response.json()).toEqual({
      waiting: { ahead: 7, wait_ms: 5_000, ask_again_ms: 2_500, place_was_over: false },
    })
    expect(response.headers.get('Retry-After')).toBe('3')
    expect(response.headers.get('Set-Cookie')).toBe('place=1')
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    await call(crowded.POST, app, { body, headers: { 'Idempotency-Key': 'a-key-that-waits-already' } })
    expect(uses.map(([limit]) => limit)).toEqual(['gateway', 'waiting'])
    expect((await call(crowded.POST, app, { body: {} })).status).toBe(422)
    expect(done).toEqual([])
  })

  it('says where links were mailed that are shown no more', async () => {
    const gone = endpoint(
      contract,
      async () => {
        throw new Problem('links-by-mail', { maskedAddress: 'b…r@example.org' })
      },
      { limit: 'success' },
    )
    const response = await call(gone.POST, fakeApp().app, { body: { name: 'Aina' } })
    expect(response.status).toBe(410)
    expect(await response.json()).toMatchObject({ code: 'links-by-mail', maskedAddress: 'b…r@example.org' })
  })

  it.each<[string, FakeCall, number, string]>([
    [
      'another content type',
      { headers: { 'Content-Type': 'text/plain' }, body: {} },
      415,
      'unsupported-content-type',
    ],
    [
      'a form',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, raw: 'name=a' },
      415,
      'unsupported-content-type',
    ],
    [
      'a type that only begins alike',
      { headers: { 'Content-Type': 'application/json5' }, body: {} },
      415,
      'unsupported-content-type',
    ],
    ['a foreign origin', { headers: { Origin: 'https://evil.example' }, body: {} }, 403, 'foreign-origin'],
    [
      'the origin of the Host header',
      { headers: { Origin: 'http://localhost:4321' }, body: {} },
      403,
      'foreign-origin',
    ],
    ['a hidden origin', { headers: { Origin: 'null' }, body: {} }, 403, 'foreign-origin'],
    ['a cross-site fetch', { headers: { 'Sec-Fetch-Site': 'cross-site' }, body: {} }, 403, 'foreign-origin'],
    ['a body over 64 kB', { raw: ' '.repeat(65_537) }, 413, 'body-too-large'],
    ['a length over 64 kB', { headers: { 'Content-Length': '65537' }, body: {} }, 413, 'body-too-large'],
    ['no body', {}, 422, 'invalid-fields'],
    ['half a JSON', { raw: '{"name":' }, 422, 'invalid-fields'],
    ['a list', { body: [] }, 422, 'invalid-fields'],
    ['null', { raw: 'null' }, 422, 'invalid-fields'],
    [
      'a short attempt key',
      { headers: { 'Idempotency-Key': 'again' }, body: { name: 'a' } },
      422,
      'invalid-fields',
    ],
  ])('refuses %s', async (_, sent, status, code) => {
    const { app, errors } = fakeApp()
    const response = await call(post.POST, app, sent)
    expect(response.status).toBe(status)
    expect(await codeOf(response)).toBe(code)
    expect(errors).toEqual([])
  })

  it('accepts a call without an origin, and a charset beside the type', async () => {
    const useCase = vi.fn(async () => ({ said: 'yes' }))
    const { POST } = endpoint(contract, useCase, { limit: 'gateway' })
    const request = new Request('http://localhost/api/x', {
      method: 'POST',
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
      body: '{"name":"a"}',
    })
    const context = {
      request,
      url: new URL(request.url),
      params: {},
      clientAddress: '::1',
      locals: { app: fakeApp().app },
    }
    expect(((await POST!(context as never)) as Response).status).toBe(200)
    expect(useCase).toHaveBeenCalledOnce()
  })

  it('stops reading a body as soon as it is too large', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(16_384))
      },
    })
    const response = await call(post.POST, fakeApp().app, { raw: endless })
    expect(response.status).toBe(413)
    expect(pulled).toBeLessThan(8)
  })

  it('names the refused fields and echoes nothing of what was sent', async () => {
    const canary = 'canary-in-the-body'
    const response = await call(post.POST, fakeApp().app, {
      body: { name: canary, count: canary, [canary]: canary },
    })
    const text = await response.text()
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      code: 'invalid-fields',
      fields: [
        { path: 'name', rule: 'too_big' },
        { path: 'count', rule: 'invalid_type' },
      ],
    })
    expect(text).not.toContain(canary)
  })

  it('puts the words of the wire into the paths of fields that the use case refuses', async () => {
    const { POST } = endpoint(
      contract,
      () =>
        Promise.reject(
          new Problem('invalid-fields', { fields: [{ path: 'list.0.wordInside', rule: 'odd' }] }),
        ),
      { limit: 'gateway' },
    )
    const response = await call(POST, fakeApp().app, { body: { name: 'a' } })
    expect(await response.json()).toMatchObject({ fields: [{ path: 'list.0.word_outside', rule: 'odd' }] })
  })

  it('counts every call against its limit under the address that the front resolved', async () => {
    const { app, uses } = fakeApp()
    await call(post.POST, app, { body: { name: 'a' }, clientAddress: '203.0.113.9' })
    await call(post.POST, app, { body: { name: 'a' } })
    expect(uses).toEqual([
      ['gateway', '203.0.113.9'],
      ['gateway', '192.0.2.1'],
    ])
  })

  it('says when to come back once the limit is spent, and does nothing', async () => {
    const useCase = vi.fn()
    const { POST } = endpoint(contract, useCase, { limit: 'gateway' })
    const response = await call(POST, fakeApp({}, { spent: ['gateway'] }).app, { body: { name: 'a' } })
    expect(response.status).toBe(429)
    expect(response.headers.get('Retry-After')).toBe('8')
    expect(await codeOf(response)).toBe('too-many-requests')
    expect(useCase).not.toHaveBeenCalled()
  })

  it('counts guessed keys against their own limit', async () => {
    const open = () => Promise.reject(new Problem('card-not-found'))
    const cards = { open } as unknown as App['cards']
    const { GET } = endpoint(
      reading,
      async (_, { app }) => ({ said: (await app.cards.open('a key', 'full')).theme.id }),
      {
        limit: 'card-read',
      },
    )
    const first = fakeApp({ cards })
    expect((await call(GET, first.app, { method: 'GET' })).status).toBe(404)
    expect(first.uses.map(([limit]) => limit)).toEqual(['card-read', 'card-miss'])
    const spent = fakeApp({ cards }, { spent: ['card-miss'] })
    expect((await call(GET, spent.app, { method: 'GET' })).status).toBe(429)
  })

  it('answers an unexpected failure with a plain 500 and logs the path without its parameters', async () => {
    const failure = new Error('secret detail')
    const { POST } = endpoint(contract, () => Promise.reject(failure), { limit: 'gateway' })
    const { app, errors } = fakeApp()
    const response = await call(POST, app, {
      body: { name: 'a' },
      path: '/api/things/the-key',
      params: { key: 'the-key' },
    })
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(text).not.toContain('secret detail')
    expect(errors).toEqual([
      { event: 'endpoint-failed', error: failure, facts: { method: 'POST', path: '/api/things/{key}' } },
    ])
    expect(JSON.stringify(errors)).not.toContain('the-key')
  })

  it('recognises a failure made by another copy of its class', async () => {
    const foreign = Object.assign(new Error('card-consumed'), {
      name: 'Problem',
      code: 'card-consumed',
      status: 409,
      details: {},
    })
    const { POST } = endpoint(contract, () => Promise.reject(foreign), { limit: 'gateway' })
    expect((await call(POST, fakeApp().app, { body: { name: 'a' } })).status).toBe(409)
  })

  it('answers other methods with 405 and names the right one', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await call(post.ALL, fakeApp().app, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('Allow')).toBe('POST')
    }
    const response = await call(get.ALL, fakeApp().app, { method: 'POST', body: {} })
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD')
  })

  it('reads with GET and HEAD alike, from anywhere', async () => {
    const sent = { method: 'GET', params: { key: 'k' }, headers: { Origin: 'https://evil.example' } }
    expect(await (await call(get.GET, fakeApp().app, sent)).json()).toEqual({ said: 'k' })
    expect((await call(get.ALL, fakeApp().app, { ...sent, method: 'HEAD' })).status).toBe(200)
  })

  it('tells the use case the language of the call and the key of the press', async () => {
    const useCase = vi.fn(async () => ({ said: '' }))
    const { POST } = endpoint(contract, useCase, { limit: 'gateway' })
    const key = '0123456789abcdef'
    await call(POST, fakeApp().app, {
      body: { name: 'a' },
      path: '/api/x?lang=fr-CA',
      headers: { 'Idempotency-Key': key },
    })
    await call(POST, fakeApp().app, { body: { name: 'a' }, path: '/api/x?lang=xx' })
    expect(useCase).toHaveBeenNthCalledWith(
      1,
      { name: 'a' },
      expect.objectContaining({ language: 'fr', attemptKey: key }),
    )
    expect(useCase).toHaveBeenNthCalledWith(
      2,
      { name: 'a' },
      expect.objectContaining({ language: 'es', attemptKey: undefined }),
    )
  })

  it('never fails on random bodies', async () => {
    const { app, errors } = fakeApp()
    const bodies = [
      '',
      '\u0000',
      '[[[[',
      '{"__proto__":{"name":"a"}}',
      '"name"',
      '1e999',
      '{"name":"\\ud800"}',
      '['.repeat(60_000),
    ]
    for (const raw of bodies) expect((await call(post.POST, app, { raw })).status).toBeLessThan(500)
    expect(errors).toEqual([])
  })
})
