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
const GIVE_UP_MS = 20_000

/** How long it takes, in ms, until a page says something. @throws when it never does */
export async function shownAfter(url: string, text: string): Promise<number> {
  const startedAt = performance.now()
  while (!(await call(url)).text.includes(text)) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`${url} never says ${text}`)
    await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS))
  }
  return performance.now() - startedAt
}
