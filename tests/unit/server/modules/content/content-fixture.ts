import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import { type ContentRoom, createContent } from '#server/modules/content/content.ts'
import type { Log } from '#server/platform/log.ts'
import { createLake, type Lake } from '#stand-ins/local-lake/index.ts'

export const SEED = fileURLToPath(new URL('../../../../../studio/seed/production.ndjson', import.meta.url))

/** A folder of its own, gone when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'content-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** It answers; it refuses; nothing gets through to it; what answers is not a CMS. */
export type CmsMood = 'content' | 'refusal' | 'no-network' | 'nonsense'

export interface ContentBench {
  readonly content: ContentRoom
  readonly dataDir: string
  /** What was logged as an error: event and message. */
  readonly errors: { readonly event: string; readonly message: string }[]
  /** Sets the time that the room sees. */
  setTime(now: number): void
  /** Publishes documents on top of the seed, replacing those with the same id. */
  publish(...documents: readonly object[]): Promise<void>
  /** How the CMS answers from now on. */
  answerWith(kind: CmsMood): void
  /** What the CMS answers. */
  lakeFetch(request: Request): Promise<Response>
  /** Another room over the same folder and CMS, as after a restart. */
  restart(): ContentRoom
}

/** A folder with the seed, made once: looking over its pictures takes a while. */
let seeded: Promise<string> | undefined

async function makeSeeded(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'content-seeded-'))
  const lake = await createLake({ dir, seedFiles: [SEED] })
  await lake.close()
  return dir
}

/** A local lake in a folder of its own, with what the files hold on top of the seed. */
async function seededLake(...overlays: readonly string[]): Promise<Lake> {
  const dir = await temporaryFolder()
  seeded ??= makeSeeded()
  await cp(await seeded, dir, { recursive: true })
  const lake = await createLake({ dir, seedFiles: [SEED, ...overlays] })
  onTestFinished(() => lake.close())
  return lake
}

afterAll(async () => {
  if (seeded !== undefined) await rm(await seeded, { recursive: true, force: true })
})

/** A content room over a local lake with the seed, whose content and presence a test can change. */
export async function contentBench(): Promise<ContentBench> {
  const dataDir = await temporaryFolder()
  const overlay = join(await temporaryFolder(), 'overlay.ndjson')
  const errors: ContentBench['errors'] = []
  let now = 1_000
  let mood: CmsMood = 'content'
  let lake = await seededLake()

  const log: Log = {
    info() {},
    error: (event, error) => errors.push({ event, message: error instanceof Error ? error.message : '' }),
  }
  const source = {
    async fetch(request: Request): Promise<Response> {
      if (mood === 'no-network') throw new TypeError('fetch failed')
      if (mood === 'refusal') return Response.json({ message: 'Unauthorized' }, { status: 401 })
      if (mood === 'nonsense') return new Response('<h1>Welcome to the café</h1>')
      return lake.fetchInside(request)
    },
  }
  const open = () => createContent({ source, dataDir, log, clock: () => now })

  return {
    content: open(),
    dataDir,
    errors,
    setTime: time => {
      now = time
    },
    async publish(...documents) {
      await writeFile(overlay, documents.map(document => JSON.stringify(document)).join('\n'))
      lake = await seededLake(overlay)
    },
    answerWith: kind => {
      mood = kind
    },
    lakeFetch: source.fetch,
    restart: open,
  }
}
