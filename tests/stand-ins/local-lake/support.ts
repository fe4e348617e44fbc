import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClientConfig, createClient, type SanityClient } from '@sanity/client'
import { onTestFinished } from 'vitest'
import { createLake, type Lake, type LakeOptions } from '#stand-ins/local-lake/index.ts'
import { createSandboxProcess } from '#stand-ins/local-lake/sandbox.ts'

/** The seed as it ships, with its forty pictures: a lake takes a second to read them. */
export const WHOLE_SEED = fileURLToPath(new URL('../../../studio/seed/production.ndjson', import.meta.url))

/** The seed without its pictures, for the many lakes that need documents only. */
export const SEED = withoutPictures()

function withoutPictures(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lake-seed-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'documents.ndjson')
  const lines = readFileSync(WHOLE_SEED, 'utf8').split('\n')
  writeFileSync(file, lines.filter(line => !line.includes('"_sanityAsset"')).join('\n'))
  return file
}

/** Where the lake of a test believes that it is reached. */
export const ORIGIN = 'http://localhost:4321'

/** A folder of its own, gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lake-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** One for all the lakes of a file: each would start a process of its own. It ends with the file's. */
export const sandboxProcess = createSandboxProcess()

/** A lake that takes whoever asks for the operator, in a folder of its own unless one is given. */
export async function openLake(options: Partial<LakeOptions> = {}): Promise<Lake> {
  const dir = options.dir ?? (await temporaryFolder())
  const lake = await createLake({ origin: () => ORIGIN, openMode: true, sandboxProcess, ...options, dir })
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

/** What an observable of the client gives. */
interface Watched<T> {
  subscribe(observer: { next: (value: T) => void; error: (error: unknown) => void }): { unsubscribe(): void }
}

/** The first `count` events, then lets go. */
export function collect<T>(watched: Watched<T>, count: number): Promise<T[]> {
  const events: T[] = []
  return new Promise((resolve, reject) => {
    const subscription = watched.subscribe({
      next: event => {
        if (events.push(event) < count) return
        subscription.unsubscribe()
        resolve(events)
      },
      error: reject,
    })
  })
}

/** Gives a listener in the same process the turns of the event loop that it needs to be connected. */
export const connected = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 30))

/** One event of a stream, as it came over the wire. */
export interface ReadEvent {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events of every kind
  readonly data: any
}

export interface ReadStream {
  /** The next event; waits for it. */
  next(): Promise<ReadEvent>
  close(): Promise<void>
}

/** Reads an event stream as it is, without the client. */
export async function readStream(answer: Response | Promise<Response>): Promise<ReadStream> {
  const reader = ((await answer).body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end >= 0) {
          const event = eventIn(text.slice(0, end))
          text = text.slice(end + 2)
          if (event) return event
          continue
        }
        const { done, value } = await reader.read()
        if (done) throw new Error('the stream has ended')
        text += decoder.decode(value, { stream: true })
      }
    },
    close: () => reader.cancel(),
  }
}

function eventIn(block: string): ReadEvent | undefined {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
  const event = field('event')
  return event === undefined
    ? undefined
    : { event, id: field('id'), data: JSON.parse(field('data') ?? 'null') }
}

/** Opens a listener over HTTP. */
export const listen = (
  lake: Lake,
  asked: Record<string, string>,
  lastEventId?: string,
): Promise<ReadStream> =>
  readStream(
    ask(lake, `/vX/data/listen/production?${new URLSearchParams(asked)}`, {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    }),
  )
