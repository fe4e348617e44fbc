import { readdirSync, readFileSync } from 'node:fs'
import { type ClientConfig, createClient, type SanityClient } from '@sanity/client'
import { call } from './call.ts'
import type { Product } from './product.ts'

/** The official client, as the Studio's pages and the operator's tools use it against a running product. */
export function contentClientOf(product: Pick<Product, 'url'>, config: ClientConfig = {}): SanityClient {
  return createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2026-05-04',
    apiHost: product.url,
    useProjectHostname: false,
    useCdn: false,
    maxRetries: 0,
    ...config,
  })
}

const LOOK_EVERY_MS = 10
const GIVE_UP_MS = 60_000

/** How long it takes, in ms, until a page says something. @throws when it never does */
export async function shownAfter(url: string, text: string): Promise<number> {
  const startedAt = performance.now()
  while (!(await call(url)).text.includes(text)) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`${url} never says ${text}`)
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return performance.now() - startedAt
}

/**
 * Measures without the time for which the server, or who asks here, stood ready and had to wait for a processor: other
 * programs on the machine can make everybody late.
 * @param measure gives ms
 */
export async function apartFromWaiting({ pid }: Product, measure: () => Promise<number>): Promise<number> {
  const waited = () => waitedMs(pid) + waitedMs(process.pid)
  const before = waited()
  const taken = await measure()
  return taken - Math.max(0, waited() - before)
}

/** How long the threads of a process have stood in line for a processor, by Linux's own notes; 0 where there are none. */
function waitedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + lineOf(`/proc/${pid}/task/${thread}/schedstat`), 0)
  } catch {
    return 0
  }
}

/** The second number of such a note, in ms. A thread may have ended since it was listed. */
function lineOf(note: string): number {
  try {
    return Number(readFileSync(note, 'utf8').split(' ')[1]) / 1_000_000
  } catch {
    return 0
  }
}
