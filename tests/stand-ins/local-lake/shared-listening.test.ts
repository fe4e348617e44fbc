import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { createSharedListening, type Fetch } from '../../../studio/src/local/shared-listening.ts'
import { mutate, openLake } from './support.ts'

/** The Studio's side of the one socket, against the lake's. */
let lake: Lake
let listening: Fetch
let sockets: WebSocket[]
let passedOn: (string | URL)[]
let admitted: Promise<void>
let origin: string

beforeEach(async () => {
  lake = await openLake({ origin: () => origin })
  const server = createServer()
  server.on('upgrade', lake.upgrade)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sockets = []
  passedOn = []
  admitted = Promise.resolve()
  listening = createSharedListening({
    origin,
    fetch: async address => {
      passedOn.push(address)
      return new Response('answered')
    },
    beforeOpening: () => admitted,
    openSocket: address => {
      const socket = new WebSocket(address)
      sockets.push(socket)
      onTestFinished(() => socket.close())
      return socket
    },
  })
})

const address = (query: string) => `${origin}/vX/data/listen/production?query=${encodeURIComponent(query)}`

async function listen(query: string, init?: RequestInit) {
  const response = await listening(address(query), init)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  /** The next event of this name, whatever comes between. */
  async function next(event: string): Promise<string> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'ended'
      const text = new TextDecoder().decode(value)
      if (text.includes(`event: ${event}`)) return text
    }
  }
  return { response, next }
}

it('carries more streams than a browser has connections over one socket', async () => {
  const streams = await Promise.all(Array.from({ length: 12 }, (_, n) => listen(`*[n == ${n}]`)))
  expect(sockets).toHaveLength(1)
  for (const { response, next } of streams) {
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next('welcome')).toContain('listenerName')
  }
  await mutate(lake, { create: { _id: 'a', _type: 'note', n: 7 } })
  expect(await streams[7]?.next('mutation')).toContain('"documentId":"a"')
})

it('hands everything else on', async () => {
  const asked = `${origin}/vX/data/query/production?query=*`
  expect(await (await listening(asked)).text()).toBe('answered')
  await listening('https://elsewhere.example/data/listen/production')
  expect(passedOn).toEqual([asked, 'https://elsewhere.example/data/listen/production'])
})

it('ends its streams when the connection is lost, and connects again for the next', async () => {
  const { next } = await listen('*')
  await next('welcome')
  sockets[0]?.close()
  expect(await next('mutation')).toBe('ended')
  expect(await (await listen('*')).next('welcome')).toContain('listenerName')
  expect(sockets).toHaveLength(2)
})

it('fails like a request to a server that is away', async () => {
  origin = 'http://127.0.0.1:9'
  const away = createSharedListening({
    origin,
    fetch,
    beforeOpening: async () => {},
    openSocket: asked => new WebSocket(asked),
  })
  await expect(away(address('*'))).rejects.toThrow('lost')
})

it('opens no socket before it may, and tries again after it could not ask', async () => {
  let letIn = () => {}
  admitted = new Promise(resolve => {
    letIn = resolve
  })
  const early = listen('*')
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(sockets).toHaveLength(0)
  letIn()
  expect((await early).response.status).toBe(200)

  const closed = new Promise(resolve => sockets[0]?.addEventListener('close', resolve))
  sockets[0]?.close()
  await closed
  admitted = Promise.reject(new TypeError('out of reach'))
  await expect(listen('*')).rejects.toThrow('out of reach')
  admitted = Promise.resolve()
  expect((await listen('*')).response.status).toBe(200)
})

it('lets go of a stream whose listener went away, and says what a refused one is', async () => {
  const going = new AbortController()
  const { next } = await listen('*', { signal: going.signal })
  await next('welcome')
  going.abort()
  await expect(next('mutation')).rejects.toThrow()
  const refused = await listening(address('*[').replace('production', 'nowhere'))
  expect(refused.status).toBe(404)
})
