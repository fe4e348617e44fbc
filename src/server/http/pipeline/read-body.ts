import { Problem } from '#domain/problems.ts'

/** The largest body any call may send. */
export const BODY_LIMIT_BYTES = 64 * 1024

/**
 * The body as text. Its bytes are counted while it streams: it is Problem `body-too-large` as soon as it is over the
 * limit, whatever its Content-Length says, so that nobody can fill the memory. A body that was cut off half-way is
 * `invalid-fields`. Bytes that are no UTF-8 become replacement characters.
 */
export async function readBody(request: Request, limit = BODY_LIMIT_BYTES): Promise<string> {
  if (Number(request.headers.get('Content-Length')) > limit) throw new Problem('body-too-large')
  if (!request.body) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let size = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Problem('invalid-fields', { fields: [{ path: '', rule: 'complete' }] })
    })
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > limit) {
      // The visitor has gone or gets an answer anyway, so the rest of the stream does not matter.
      reader.cancel().catch(() => {})
      throw new Problem('body-too-large')
    }
    text += decoder.decode(value, { stream: true })
  }
}
