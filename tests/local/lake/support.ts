import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClientConfig, createClient, type SanityClient } from '@sanity/client'
import { onTestFinished } from 'vitest'
import { createLake, type Lake, type LakeOptions } from '#local/lake/index.ts'

export const SEED = fileURLToPath(new URL('../../../studio/seed/production.ndjson', import.meta.url))

/** Where the lake of a test believes that it is reached. */
export const ORIGIN = 'http://localhost:4321'

/** A folder of its own, gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lake-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A lake that takes whoever asks for the operator, in a folder of its own unless one is given. */
export async function openLake(options: Partial<LakeOptions> = {}): Promise<Lake> {
  const dir = options.dir ?? (await temporaryFolder())
  const lake = await createLake({ origin: () => ORIGIN, openMode: true, ...options, dir })
  onTestFinished(() => lake.close())
  return lake
}

/** The real client, its requests answered by a lake in process. */
export function clientOf(lake: Lake, config: ClientConfig = {}): SanityClient {
  return createClient({
    projectId: 'local',
    dataset: 'production',
    apiVersion: '2026-05-04',
    apiHost: ORIGIN,
    useProjectHostname: false,
    useCdn: false,
    maxRetries: 0,
    resolveFetch: () => (address, init) => lake.fetch(new Request(address, init)),
    ...config,
  })
}

/** Asks the lake as a page of the site would. */
export const ask = (lake: Lake, path: string, init?: RequestInit): Promise<Response> =>
  lake.fetch(new Request(`${ORIGIN}${path}`, init))

/** Sends a JSON body. */
export const post = (lake: Lake, path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(lake, path, { method: 'POST', body: JSON.stringify(body), headers })

/** Carries out mutations, as the client would. */
export const mutate = (lake: Lake, ...mutations: object[]): Promise<Response> =>
  post(lake, '/v2026-05-04/data/mutate/production?returnIds=true', { mutations })

export const act = (lake: Lake, ...actions: object[]): Promise<Response> =>
  post(lake, '/v2026-05-04/data/actions/production', { actions })
