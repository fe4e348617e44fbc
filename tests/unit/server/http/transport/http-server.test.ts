import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from '#server/http/transport/http-server.ts'
import { readBody, streamedBody } from '#server/http/transport/request-body.ts'
import { ask } from '../fake-router.ts'

/** More than Node lets wait where nothing is said, and fewer than a machine opens at once. */
const MANY = 900

function promised<T = void>() {
  const { promise, resolve } = Promise.withResolvers<T>()
  return { promise, resolve }
}

describe('stopping', () => {
  it('finishes a request in flight, ends its connection, and takes no new one', async () => {
    const arrived = promised()
    const finish = promised()
    const server = await listen(
      async (_request, response) => {
        arrived.resolve()
        await finish.promise
        response.end('whole')
      },
      { port: 0, host: '127.0.0.1' },
    )
    const agent = new Agent({ keepAlive: true })
    const answer = askOver(agent, server.port)
    await arrived.promise
    const stopped = server.stop(0)
    let isStopped = false
    void stopped.then(() => {
      isStopped = true
    })
    await new Promise(resolve => setImmediate(resolve))
    expect(isStopped).toBe(false)
    finish.resolve()
    expect(await answer).toEqual({ connection: 'close', text: 'whole' })
    await stopped
    await expect(ask(server.port, 'GET', '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    agent.destroy()
  })

  it('closes connections that wait for nothing', async () => {
    const server = await listen((_request, response) => response.end(), { port: 0, host: '127.0.0.1' })
    const socket = connect(server.port, '127.0.0.1')
    const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise(resolve => socket.once('data', resolve))
    await server.stop(0)
    await closed
  })

  it('answers what open connections send during the grace, and says that they end', async () => {
    const server = await listen((_request, response) => response.end('still here'), {
      port: 0,
      host: '127.0.0.1',
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await askOver(agent, server.port)).toEqual({ connection: 'keep-alive', text: 'still here' })
    const stopped = server.stop(200)
    expect(await askOver(agent, server.port)).toEqual({ connection: 'close', text: 'still here' })
    await expect(ask(server.port, 'GET', '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await stopped
    agent.destroy()
  })
})

describe('a sender who takes too long', () => {
  const SLOW_MS = 30_000
  const ENOUGH_OF_AN_UPLOAD = 600_000

  /** A POST without end, and the clock of those who wait for it. */
  async function slowPost(path: string, answerAtOnce = false) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let received = 0
    let wanted = 0
    let arrived = promised()
    const server = await listen(
      (request, response) => {
        if (answerAtOnce) response.end('no')
        request
          .on('error', () => {})
          .on('data', chunk => {
            received += chunk.length
            if (received >= wanted) arrived.resolve()
          })
      },
      { port: 0, host: '127.0.0.1', takesUploads: asked => asked === '/upload' },
    )
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    let said = ''
    const answered = promised()
    const closed = promised<string>()
    socket.on('data', chunk => {
      said += chunk
      answered.resolve()
    })
    socket.once('close', () => closed.resolve(said))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n`)
    onTestFinished(async () => {
      vi.useRealTimers()
      socket.destroy()
      await server.stop(0)
    })
    return {
      isOpen: () => !socket.closed && said === '',
      answered: answered.promise,
      stop: () => void server.stop(0),
      closed: closed.promise,
      /** Sends so much, and half a minute passes once it has come. */
      async send(size: number) {
        arrived = promised()
        wanted = received + size
        socket.write(Buffer.alloc(size))
        await arrived.promise
        vi.advanceTimersByTime(SLOW_MS)
      },
    }
  }

  it('is refused after half a minute, and the connection ended', async () => {
    const post = await slowPost('/api/x')
    await post.send(ENOUGH_OF_AN_UPLOAD)
    const said = await post.closed
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(said).toMatch(/\r\nStrict-Transport-Security: /i)
  })

  it('may go on with an upload for as long as it goes on', async () => {
    const post = await slowPost('/upload?filename=a.png')
    for (let minutes = 0; minutes < 5; minutes += 0.5) await post.send(ENOUGH_OF_AN_UPLOAD)
    expect(post.isOpen()).toBe(true)
    await post.send(ENOUGH_OF_AN_UPLOAD / 2)
    expect(await post.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  it('gets no longer for an upload once the server is told to stop', async () => {
    const post = await slowPost('/upload')
    await post.send(ENOUGH_OF_AN_UPLOAD)
    post.stop()
    await post.send(ENOUGH_OF_AN_UPLOAD)
    expect(await post.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  it('gets no longer for an upload that is answered already', async () => {
    const post = await slowPost('/upload', true)
    await post.answered
    await post.send(ENOUGH_OF_AN_UPLOAD)
    expect(await post.closed).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })
})

describe('a request that announces no body', () => {
  it.each(['POST', 'GET'])('has an empty one for whoever reads it (%s)', async method => {
    const server = await listen(
      async (request, response) => {
        const whole = await readBody(request, 10)
        const streamed = await new Response(streamedBody(request).body).text()
        response.end(JSON.stringify({ whole: whole?.toString(), streamed }))
      },
      { port: 0, host: '127.0.0.1' },
    )
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const said = (await socket.setEncoding('utf8').toArray()).join('')
    expect(said).toContain('{"whole":"","streamed":""}')
    await server.stop(0)
  })
})

/** One request over an agent's connections. */
function askOver(agent: Agent, port: number): Promise<{ connection: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', agent }, async response => {
      const text = (await response.toArray()).join('')
      resolve({ connection: response.headers.connection, text })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** In a thread of its own: counts the connections that the machine has taken for a process that is busy, and its answers. */
const CONNECTING = `
const { workerData: { port, counts } } = require('node:worker_threads')
const count = at => {
  Atomics.add(counts, at, 1)
  Atomics.notify(counts, at)
}
for (let n = 0; n < ${MANY}; n++) {
  const socket = require('node:net').connect(port, '127.0.0.1', () => {
    count(0)
    socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
  })
  socket.once('data', () => count(1)).on('error', () => {})
}
`

describe('a busy process', () => {
  it('loses no connection of the many that come meanwhile, and answers all though it is told to end', async () => {
    const server = await listen((_request, response) => response.end('x'), { port: 0, host: '127.0.0.1' })
    const counts = new Int32Array(new SharedArrayBuffer(8))
    const visitors = new Worker(CONNECTING, { eval: true, workerData: { port: server.port, counts } })
    // This thread stands still, so that the server takes none of them itself.
    const deadline = performance.now() + 10_000
    for (let taken = 0; taken < MANY && performance.now() < deadline; taken = Atomics.load(counts, 0))
      Atomics.wait(counts, 0, taken, 100)
    expect(Atomics.load(counts, 0)).toBe(MANY)
    const stopped = server.stop(1_000)
    await vi.waitFor(() => expect(Atomics.load(counts, 1)).toBe(MANY), { timeout: 20_000 })
    await stopped
    await visitors.terminate()
  })
})
