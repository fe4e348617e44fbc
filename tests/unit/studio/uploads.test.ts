import { expect, it } from 'vitest'
import { explainRefusedUploads } from '../../../studio/src/local/uploads.ts'

const UPLOAD = 'http://localhost:4321/v2025-02-19/assets/images/production?filename=ana.jpg'

/** A page whose requests are answered with this; `sent` is what reached the network. */
function pageThatIsAnswered(status: number, responseText = '') {
  const [sent, told]: [unknown[], string[][]] = [[], []]
  class Network extends EventTarget {
    status = status
    readonly responseText = responseText
    open(): void {}
    send(body: unknown): void {
      sent.push(body)
      this.dispatchEvent(new Event(status === 0 ? 'error' : 'load'))
    }
  }
  const page = { XMLHttpRequest: Network as unknown as typeof XMLHttpRequest }
  explainRefusedUploads(page, (file, reason) => void told.push([file, reason]))
  return {
    sent,
    told,
    /** Sends a body, and gives what the sender hears. */
    async post(body: Blob | string, url = UPLOAD): Promise<string> {
      const request = new page.XMLHttpRequest()
      const heard = new Promise<string>(resolve => {
        for (const name of ['load', 'error'])
          request.addEventListener(name, () => {
            // The Studio's client gives a request up as soon as it has failed.
            ;(request as { status: number }).status = 0
            resolve(name)
          })
      })
      request.open('POST', url)
      request.send(body)
      return heard
    },
  }
}

const photo = (bytes: number) => new File([new Uint8Array(bytes)], 'ana.jpg')
const [MOST, TOO_LARGE] = [20 * 1024 * 1024, /^It is larger than 20 MB/]

it('does not send a file that is too large, and says so', async () => {
  const { post, sent, told } = pageThatIsAnswered(200)
  expect(await post(photo(MOST + 1))).toBe('error')
  expect([sent.length, told]).toEqual([0, [['ana.jpg', expect.stringMatching(TOO_LARGE)]]])
  expect(await post(photo(MOST))).toBe('load')
  expect([sent.length, told.length]).toEqual([1, 1])
})

it.each([
  [
    'the site’s own sentence',
    400,
    '{"message":"This file is not a picture"}',
    /^This file is not a picture$/,
  ],
  ['that it is too large, where a proxy says it in no words', 413, '<html>', TOO_LARGE],
  ['that the session is over', 401, '{"message":"Unauthorized"}', /^Your session is over/],
  ['at least the status', 502, '<html>', /status 502/],
  ['at least the status, of an answer without a sentence', 500, '{"message":7}', /status 500/],
  ['that the connection broke off', 0, '', /broke off/],
])('says of a refused file %s', async (_, status, answer, reason) => {
  const { post, told } = pageThatIsAnswered(status, answer)
  await post(photo(3))
  expect(told).toEqual([['ana.jpg', expect.stringMatching(reason)]])
})

it('says nothing of what is no upload', async () => {
  const { post, told, sent } = pageThatIsAnswered(500)
  await post('typed', 'http://localhost:4321/v2025-02-19/data/mutate/production')
  await post(photo(MOST + 1), 'http://localhost:4321/api/elsewhere')
  expect([told, sent.length]).toEqual([[], 2])
})
