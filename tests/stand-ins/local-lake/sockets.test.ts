import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { ask, mutate, openLake } from './support.ts'

let lake: Lake
let address: string
let origin: string

beforeEach(async () => {
  origin = ''
  lake = await openLake({ origin: () => origin })
  address = await served(lake)
  origin = address.replace('ws:', 'http:')
})

async function served(serving: Lake): Promise<string> {
  const server = createServer()
  server.on('upgrade', serving.upgrade)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Line {
  send(frame: object): void
  // biome-ignore lint/suspicious/noExplicitAny: frames of every kind
  next(): Promise<any>
  /** Resolves once the other end has closed it. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Opens a socket. Rejects, saying the status, when it is refused. */
async function connect(path: string, from: string | undefined = origin, to = address): Promise<Line> {
  const socket = new WebSocket(`${to}${path}`, from === undefined ? {} : { origin: from })
  const arrived: unknown[] = []
  const waiting: ((frame: unknown) => void)[] = []
  socket.on('message', data => {
    const frame = JSON.parse(String(data))
    const taker = waiting.shift()
    if (taker) taker(frame)
    else arrived.push(frame)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  onTestFinished(() => socket.terminate())
  const ended = new Promise<void>(resolve => socket.once('close', () => resolve()))
  return {
    ended,
    send: frame => socket.send(JSON.stringify(frame)),
    next: () =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise(resolve => waiting.push(resolve)),
    close: () =>
      new Promise(resolve => {
        socket.once('close', () => resolve())
        socket.close()
      }),
  }
}

describe('one socket for all listeners', () => {
  const url = (query: string) => `/vX/data/listen/production?query=${encodeURIComponent(query)}`

  /** The events in the chunks of one stream, as they arrive. */
  async function chunk(line: Line, id: string): Promise<string> {
    for (;;) {
      const frame = await line.next()
      if (frame.id === id && /event: /.test(frame.chunk ?? '')) return frame.chunk
    }
  }

  it('carries any number of streams side by side', async () => {
    const line = await connect('/local/listen')
    for (let n = 0; n < 12; n++) line.send({ op: 'open', id: `s${n}`, url: url(`*[n == ${n}]`), headers: {} })
    for (let n = 0; n < 12; n++) expect(await chunk(line, `s${n}`)).toContain('event: welcome')
    await mutate(lake, { create: { _id: 'a', _type: 'note', n: 7 } })
    expect(await chunk(line, 's7')).toContain('"documentId":"a"')
  })

  it('takes whole addresses, and resumes', async () => {
    const { transactionId } = await (await mutate(lake, { create: { _id: 'a', _type: 'note' } })).json()
    await mutate(lake, { create: { _id: 'b', _type: 'note' } })
    const line = await connect('/local/listen')
    const headers = { 'Last-Event-ID': `${transactionId}#a` }
    line.send({ op: 'open', id: 's', url: `${origin}${url('*')}&enableResume=true`, headers })
    expect(await chunk(line, 's')).toContain('event: welcomeback')
    expect(await chunk(line, 's')).toContain('"documentId":"b"')
  })

  it('ends a stream that is not wanted any more, and goes on with the others', async () => {
    const line = await connect('/local/listen')
    line.send({ op: 'open', id: 'a', url: url('*') })
    line.send({ op: 'open', id: 'b', url: url('*') })
    await chunk(line, 'b')
    line.send({ op: 'close', id: 'a' })
    for (let frame = await line.next(); frame.id !== 'a' || !frame.end; ) frame = await line.next()
    await mutate(lake, { create: { _type: 'note' } })
    expect(await chunk(line, 'b')).toContain('event: mutation')
  })

  it('tells a stream that cannot be, and carries nothing but listeners', async () => {
    const line = await connect('/local/listen')
    line.send({ op: 'open', id: 'a', url: url('*[') })
    expect(await line.next()).toEqual({ id: 'a', status: 400 })
    line.send({ op: 'open', id: 'b', url: '/vX/data/export/production' })
    for (let frame = await line.next(); frame.id !== 'b'; ) {
      frame = await line.next()
      if (frame.id === 'b') expect(frame).toEqual({ id: 'b', status: 400, end: true })
    }
  })
})

describe('the presence socket', () => {
  const call = async (line: Line, id: string, method: string, params: object = {}) => {
    line.send({ jsonrpc: '2.0', id, method, params })
    for (;;) {
      const frame = await line.next()
      if (frame.id === id) return frame.result
    }
  }

  it('tells the others who is where, who asks, and who has gone', async () => {
    const [one, other] = [await connect('/vX/socket/production'), await connect('/v1/socket/production')]
    const subscription = await call(one, '1', 'presence_subscribe')
    expect(subscription).toEqual(expect.any(String))
    const locations = [{ type: 'document', documentId: 'a', path: [], lastActiveAt: '2026-03-10T09:00:00Z' }]
    expect(await call(other, '1', 'presence_announce', { data: { sessionId: 's2', locations } })).toBe('ok')
    const told = (result: object) => ({
      jsonrpc: '2.0',
      method: 'presence_subscription',
      params: { subscription, result },
    })
    expect(await one.next()).toEqual(
      told({ type: 'state', i: 'operator', m: { sessionId: 's2', locations } }),
    )
    await call(other, '2', 'presence_rollcall', { session: 's2' })
    expect(await one.next()).toEqual(told({ type: 'rollCall', i: 'operator', session: 's2' }))
    await other.close()
    expect(await one.next()).toEqual(told({ type: 'disconnect', i: 'operator', m: { session: 's2' } }))
  })

  it('answers whatever else is asked, and is not upset by nonsense', async () => {
    const line = await connect('/vX/socket/production')
    line.send(['nonsense'])
    expect(await call(line, '1', 'authorization', { authorization: 'Bearer x' })).toBe('ok')
    expect(await call(line, '2', 'presence_announce', {})).toBe('ok')
  })
})

/** A login that is over a moment after it was asked for. */
const endingLogin = () => ({
  openMode: false,
  origin: () => origin,
  authenticate: () => ({ id: 'operator', name: 'Operator', email: '', until: Date.now() + 100 }),
})

describe('the sockets', () => {
  it.each(['/local/listen', '/vX/socket/production'])(
    'are closed to pages of other sites: %s',
    async path => {
      await expect(connect(path, 'https://evil.example')).rejects.toThrow('403')
    },
  )

  it.each(['/vX/socket/staging', '/elsewhere'])('are not at %s', async path => {
    await expect(connect(path)).rejects.toThrow('404')
  })

  it('need a session where there is a login', async () => {
    const guarded = await openLake({ openMode: false, origin: () => origin })
    await expect(connect('/local/listen', origin, await served(guarded))).rejects.toThrow('401')
  })

  it.each(['/local/listen', '/vX/socket/production'])('end with the login: %s', async path => {
    const guarded = await openLake(endingLogin())
    const line = await connect(path, origin, await served(guarded))
    await line.ended
  })

  it('end with the login, as the streams over HTTP do', async () => {
    const guarded = await openLake(endingLogin())
    const listening = await ask(guarded, '/vX/data/listen/production?query=*')
    const live = await ask(guarded, '/vX/data/live/events/production')
    expect(await Promise.all([listening.text(), live.text()])).toEqual([
      expect.stringContaining('event: welcome'),
      expect.stringContaining('event: welcome'),
    ])
  })
})
