import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { StudioService } from '#server/http/studio-service.ts'
import type { StudioState } from '#server/modules/operator/interface.ts'
import type { Log } from '#server/platform/log.ts'
import { type BuiltStudio, openBuilt } from './built.ts'
import { builtFolder, digestOf, hasStudio, type StudioProject } from './sources.ts'

export interface StudioOptions {
  /** The folder of the Studio's sources. Without it, or when it is switched off, there is no Studio. */
  readonly folder: string
  readonly enabled: boolean
  readonly project: StudioProject | undefined
  readonly siteUrl: string
  readonly log: Log
}

/** The priority of the process, below that of the site. */
const LOW_PRIORITY = 15
/** How much of the end of a failed preparation's output goes to the log, in characters. */
const MOST_TOLD_CHARACTERS = 2_000

/** Prepares the operator's Studio in a process of its own while the site runs, and then serves it. */
export function createStudio({ folder, enabled, project, siteUrl, log }: StudioOptions): StudioService {
  let state: StudioState = enabled && hasStudio(folder) ? 'preparing' : 'off'
  let built: BuiltStudio | undefined
  let stopping = false
  let endBuilder: () => Promise<void> = async () => {}
  let work: Promise<void> = Promise.resolve()

  async function prepare(): Promise<void> {
    const target = builtFolder(folder, await digestOf(folder, project))
    if (!existsSync(target)) await runBuilder()
    if (stopping) return
    built = await openBuilt(target, { siteUrl, hosted: project !== undefined })
    state = 'ready'
    log.info('studio-ready')
  }

  async function runBuilder(): Promise<void> {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url))
    const child = spawn(process.execPath, [main, folder], {
      // The process leads a group of its own, so that it ends together with everything that npm has started.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        SANITY_PROJECT_ID: project?.projectId ?? '',
        SANITY_DATASET: project?.dataset ?? '',
      },
    })
    const closed = once(child, 'close')
    endBuilder = async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) endGroup(child.pid)
      await closed
    }
    if (child.pid !== undefined) lowerPriority(child.pid)
    let told = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        told = (told + text).slice(-MOST_TOLD_CHARACTERS)
        for (const [, sentence] of text.matchAll(/^studio: (.+)$/gm))
          log.info('studio-preparing', { step: sentence ?? '' })
      })
    }
    const [code] = (await closed) as [number | null]
    if (code !== 0 && !stopping) throw new Error(`the Studio could not be prepared:\n${told.trim()}`)
  }

  return {
    state: () => state,
    matches: pathname =>
      state !== 'off' &&
      (pathname === '/studio' || pathname.startsWith('/studio/') || pathname.startsWith('/static/')),
    async find(pathname) {
      return built?.find(pathname)
    },
    start() {
      if (state === 'off') return
      work = prepare().catch((error: unknown) => {
        state = 'failed'
        log.error('studio-failed', error)
      })
    },
    async stop() {
      stopping = true
      await endBuilder()
      await work
    },
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The process has just ended by itself.
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOW_PRIORITY)
  } catch {
    // The process has ended, and its exit event follows.
  }
}
