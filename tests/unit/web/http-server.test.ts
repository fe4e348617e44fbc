import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listen } from '#server/web/http-server.ts'
import { ask } from './fake-front.ts'

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
