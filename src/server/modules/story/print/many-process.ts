import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Problem } from '#domain/problems.ts'
import type { ManySheetsFacts } from './many-job.ts'

const CHILD = fileURLToPath(new URL('./many-child.ts', import.meta.url))
/** Twenty times what 500 cards take: a process that hangs does not stay. */
const MOST_MS = 120_000
/** The most that the heap of the process may take. */
const MEGABYTES = 128
/** Who comes while so many wait for theirs is told to come back. */
export const MOST_WAITING = 4
const COME_BACK_SECONDS = 20

/** Draws sheets in a process of its own, one after the other, behind everything else on the machine. */
export interface SheetsProcess {
  /** @throws Problem temporarily-unavailable where too many wait; Error where the process fails */
  draw(facts: ManySheetsFacts): Promise<Buffer>
}

/** Makes the line of those who wait for their sheets. */
export function createSheetsProcess(): SheetsProcess {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async draw(facts) {
      if (waiting >= MOST_WAITING)
        throw new Problem('temporarily-unavailable', { retryAfterSeconds: COME_BACK_SECONDS })
      waiting++
      const drawn = last.then(() => drawIn(facts)).finally(() => waiting--)
      last = drawn.catch(() => {})
      return drawn
    },
  }
}

async function drawIn(facts: ManySheetsFacts): Promise<Buffer> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MEGABYTES}`, CHILD], {
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.timeout(MOST_MS),
    env: { ...process.env, NODE_OPTIONS: '', MALLOC_ARENA_MAX: '1' },
  })
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // Heard below; without this a child that cannot start would end this process.
  child.on('error', () => {})
  // With no file to spare (EMFILE) it has not even its pipes.
  if (child.pid === undefined) await ended
  else lower(child.pid)
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(facts))
  const [pdf, [code, signal]] = await Promise.all([buffer(child.stdout), ended])
  if (code === 0) return pdf
  throw Object.assign(new Error('The process that draws sheets has ended'), {
    code: signal ?? `exit-${code}`,
  })
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // This machine does not let us set a priority: the process runs like any other.
  }
}
