import type { IncomingMessage } from 'node:http'

/** The most a request may carry, but for those that bring a list or a file (product.md#calls: 413). */
export const MOST_BODY_BYTES = 64 * 1024

/** How many bytes of a body that is too large are still read, so that its sender can read the refusal. */
const MOST_DISCARDED_BYTES = 8 * 1024 * 1024

/**
 * Reads a request's whole body before anybody works on it.
 * @returns undefined when it is larger than `most` bytes
 * @throws when the visitor goes away midway
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  // The request announced no body, so there are no events to wait for.
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0))
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > MOST_DISCARDED_BYTES) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= most) chunks.push(chunk)
      else chunks.length = 0
      if (size > MOST_DISCARDED_BYTES) {
        request.removeAllListeners('data')
        resolve(undefined)
      }
    })
    request.once('end', () => resolve(size > most ? undefined : Buffer.concat(chunks)))
    request.once('error', reject)
  })
}

/**
 * A request's body as it comes in, for a reader that counts its bytes itself. The rest that the reader leaves is read
 * and thrown away, so that a sender who is still sending gets the refusal. The server's own time limit ends that.
 */
export function streamedBody(request: IncomingMessage): { body: ReadableStream<Uint8Array>; duplex: 'half' } {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (request.readableEnded) return controller.close()
      request.on('data', (chunk: Buffer) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) request.pause()
      })
      request.once('end', () => controller.close())
      request.once('error', error => controller.error(error))
      request.pause()
    },
    pull: () => void request.resume(),
    cancel() {
      request.removeAllListeners('data').removeAllListeners('end').removeAllListeners('error')
      // It is no error any more when the sender goes away midway.
      request.on('error', () => {}).resume()
    },
  })
  return { body, duplex: 'half' }
}
