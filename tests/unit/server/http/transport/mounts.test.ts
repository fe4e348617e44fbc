import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { answerLocally } from '#server/http/transport/mounts.ts'

/** Serves one download to a visitor who breaks it off as soon as anything of it has come, or before. */
async function download({ of, early }: { of: ReadableStream<Uint8Array>; early?: boolean }): Promise<void> {
  const served = Promise.withResolvers<void>()
  const handle = async (response: ServerResponse) => {
    if (early) {
      visitor.resetAndDestroy()
      await once(response, 'close')
    }
    return new Response(of)
  }
  const server = createServer((request, response) => {
    const mount = { matches: () => true, handle: () => handle(response) }
    const url = new URL('http://localhost/file')
    answerLocally(mount, { request, response, url }).then(served.resolve, served.reject)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const visitor = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  visitor.write('GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n')
  visitor.once('data', () => visitor.resetAndDestroy())
  await served.promise
}

function endless() {
  const cancelled = Promise.withResolvers<void>()
  const stream = new ReadableStream<Uint8Array>({
    pull: controller => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel: () => cancelled.resolve(),
  })
  return { stream, cancelled: cancelled.promise }
}

it.each([
  ['before it begins', true],
  ['in its middle', false],
])(
  'a download that the visitor breaks off %s is no error, and whatever it came from is let go',
  async (_, early) => {
    const { stream, cancelled } = endless()
    await expect(download({ of: stream, early })).resolves.toBeUndefined()
    await cancelled
  },
)

it('a download whose source fails is an error', async () => {
  const failing = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error('the disk is gone')
    },
  })
  await expect(download({ of: failing })).rejects.toThrow('the disk is gone')
})
