import { Agent } from 'node:http'
import { type Answer, type CallOptions, call } from '#tests/support/product/call.ts'

/** One request of a benchmark. */
export interface Request extends CallOptions {
  readonly url: string
}

export const JSON_HEADERS = { 'Content-Type': 'application/json' }
const ENCODINGS = { 'Accept-Encoding': 'br, gzip' }

let visitors = 0

/** As a proxy would say it: every request comes from a visitor of its own, so that no limit is reached. */
export function visitorHeaders(): Record<string, string> {
  visitors++
  return { 'X-Forwarded-For': `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}` }
}

export const sent = (request: Request, agent: Agent): Promise<Answer> =>
  call(request.url, {
    ...request,
    agent,
    headers: { ...ENCODINGS, ...visitorHeaders(), ...request.headers },
  })

/**
 * Sends `count` requests, so many at once, each caller on a connection that it keeps.
 * @returns ms of each, and requests per second
 * @throws Error at an answer that is no success
 */
export async function callTogether(
  callers: number,
  count: number,
  request: (n: number) => Request,
): Promise<{ readonly ms: readonly number[]; readonly perSecond: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const ms: number[] = []
  let begun = 0
  const startedAt = performance.now()
  const caller = async (): Promise<void> => {
    while (begun < count) {
      const next = request(begun++)
      const at = performance.now()
      const { status, text } = await sent(next, agent)
      ms.push(performance.now() - at)
      if (status >= 300)
        throw new Error(
          `${next.method ?? 'GET'} ${new URL(next.url).pathname.slice(0, 30)}… answered ${status} ${text.slice(0, 200)}`,
        )
    }
  }
  try {
    await Promise.all(Array.from({ length: callers }, caller))
  } finally {
    agent.destroy()
  }
  return { ms, perSecond: (count / (performance.now() - startedAt)) * 1_000 }
}
