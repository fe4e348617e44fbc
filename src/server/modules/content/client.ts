import { createClient, type SanityClient } from '@sanity/client'

/** A dataset at the hosted Content Lake. The token is needed only when the dataset is private. */
export interface HostedSource {
  readonly projectId: string
  readonly dataset: string
  readonly token?: string | undefined
}

/** A Content Lake in this process: what it answers, in place of the network. */
export interface LocalSource {
  readonly fetch: (request: Request) => Promise<Response>
}

export type ContentSource = HostedSource | LocalSource

const API_VERSION = '2026-05-04'

/** How long one try may take, and how often it is repeated. Only a publish waits for it; a page view never does. */
const TIMEOUT = { timeout: 5_000, maxRetries: 1 }

/** The name of a source in the stored snapshot. */
export function sourceName(source: ContentSource): string {
  return 'fetch' in source ? 'local/production' : `${source.projectId}/${source.dataset}`
}

/**
 * One client for both: a local source changes only where requests go. It sees published documents, never
 * drafts, and asks the lake itself, since its cache may lag behind a publish.
 */
export function contentClient(source: ContentSource): SanityClient {
  const shared = { apiVersion: API_VERSION, perspective: 'published', useCdn: false, ...TIMEOUT } as const
  if (!('fetch' in source)) {
    const { projectId, dataset, token } = source
    return createClient({ ...shared, projectId, dataset, ...(token === undefined ? {} : { token }) })
  }
  return createClient({
    ...shared,
    projectId: 'local',
    dataset: 'production',
    apiHost: 'http://lake.localhost',
    useProjectHostname: false,
    resolveFetch: () => (address, init) => source.fetch(new Request(address, init)),
  })
}
