import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { BookJob, BookWord } from './job.ts'

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
/** Ten times what forty photos take: a process that hangs does not stay. */
const MOST_MS = 120_000
/** The most that the heap may take; with the pictures themselves the whole process stays below 200. */
const MEGABYTES = 64

/**
 * Lets another process make the books, behind everything else on the machine.
 * @param onWord hears how far it is
 * @throws when it fails, takes too long or is told to end
 */
export async function startBookProcess(
  job: BookJob,
  ending: AbortSignal,
  onWord: (word: Exclude<BookWord, { readonly failed: string }>) => void,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${MEGABYTES}`, '--max-semi-space-size=2', CHILD],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      signal: AbortSignal.any([ending, AbortSignal.timeout(MOST_MS)]),
      // One pool of memory and two threads: with one for each core it would keep twice as much.
      env: { ...process.env, NODE_OPTIONS: '', MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' },
    },
  )
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // Heard below; without this a child that cannot start would end this process.
  child.on('error', () => {})
  // With no file to spare (EMFILE) it has not even its pipes.
  if (child.pid === undefined) await ended
  else lower(child.pid)
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify(job))
  let failed: string | undefined
  createInterface(child.stdout).on('line', line => {
    const word = JSON.parse(line) as BookWord
    if ('failed' in word) failed = word.failed
    else onWord(word)
  })
  const [code, signal] = await ended
  if (code === 0) return
  const error = new Error(`the photo-book's process ended with ${signal ?? `code ${code}`}`)
  throw Object.assign(error, { code: failed ?? signal ?? `exit-${code}` })
}

function lower(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // This machine does not let us set a priority: the process runs like any other.
  }
}
