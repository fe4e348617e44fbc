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
    const answer = new Promise<{ connection: string | undefined; text: string }>((resolve, reject) => {
      const sent = request({ port: server.port, host: '127.0.0.1', agent }, async response => {
        resolve({ connection: response.headers.connection, text: (await response.toArray()).join('') })
      })
      sent.on('error', reject)
      sent.end()
    })
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

  it('answers on open connections during the grace, and then ends them', async () => {
    const server = await listen((_request, response) => response.end('still here'), {
      port: 0,
      host: '127.0.0.1',
    })
    const stopped = server.stop(100)
    const answer = await ask(server.port, 'GET', '/', { headers: { connection: 'keep-alive' } })
    expect(answer).toMatchObject({ status: 200, text: 'still here', headers: { connection: 'close' } })
    await stopped
  })
})
