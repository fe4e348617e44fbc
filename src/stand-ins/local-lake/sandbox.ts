import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Place } from './assets-address.ts'
import { LakeError, refusal } from './errors.ts'
import type { LakeDocument } from './model.ts'
import type { Store } from './store.ts'
import type { Outcomes, Task } from './tasks.ts'

/** What the sandbox's process is asked. */
export interface Asked {
  /** Which lake it is about: several may share the process. */
  readonly lake: number
  readonly place: { readonly origin: string; readonly projectId: string; readonly dataset: string }
  /** Documents that the process does not have yet, or has in another version. */
  readonly put: readonly LakeDocument[]
  readonly gone: readonly string[]
  readonly task: Task
  readonly limitMs: number
}

/** What it says. */
export type Said =
  | { readonly done: unknown }
  | { readonly refused: readonly [status: number, message: string, body: object] }
  | { readonly overrun: 'time' }
  | { readonly failed: string }

/** A process in which what comes from outside is worked out, shared by any number of lakes. */
export interface SandboxProcess {
  /** @param asked is made when its turn has come */
  ask(lake: number, asked: (known: Map<string, LakeDocument>) => Omit<Asked, 'limitMs'>): Promise<unknown>
  forget(lake: number): void
  /** Starts it, so that the first question does not wait for that. */
  prepare(): void
  /** Ends it; it would start again with the next question. */
  stop(): void
}

/** The sandbox of one lake. */
export interface Sandbox {
  /**
   * Has a task worked out over the documents as they are when its turn comes. Rejects with a LakeError when it is
   * refused there, takes too long or needs too much memory.
   */
  workOut<T extends Task>(task: T): Promise<Outcomes[T['kind']]>
  /** Somebody is here who will ask: the process is started. */
  prepare(): void
  close(): void
}

export interface SandboxLimits {
  /** For one task, in milliseconds. */
  readonly limitMs?: number
  /** The most that the heap of the process may take. */
  readonly megabytes?: number
  /** After so long without a question its memory goes back to the machine. */
  readonly idleMs?: number
}

const PROGRAM = fileURLToPath(new URL('./sandbox-process.ts', import.meta.url))
/** By the clock on the wall: an ordinary question of the Studio took more than five seconds on a machine with much else to do. */
const LIMIT_MS = 15_000
const MEGABYTES = 192
const IDLE_MS = 600_000
/** It interrupts itself; where it cannot, it is ended so much later. */
const GRACE_MS = 2_000
/** Tasks that wait for their turn. The Studio has never asked for a tenth of it at once. */
const MOST_WAITING = 500

/** A process and what it was told of each lake. */
interface Running {
  readonly child: ChildProcess
  /** It listens, or has ended; never rejects. */
  readonly ready: Promise<unknown>
  readonly known: Map<number, Map<string, LakeDocument>>
}

/**
 * A query can ask for more than any machine has, and nothing about its text tells. So none of what comes from outside is
 * worked out where the site answers: it has a process with a limit of time and of memory, which starts with the first
 * question, is ended when a limit is passed, and stops when nobody asks any more.
 */
export function createSandboxProcess({
  limitMs = LIMIT_MS,
  megabytes = MEGABYTES,
  idleMs = IDLE_MS,
}: SandboxLimits = {}): SandboxProcess {
  let running: Running | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let idle: NodeJS.Timeout | undefined

  function start(): Running {
    const child = fork(PROGRAM, {
      execArgv: [`--max-old-space-size=${megabytes}`],
      serialization: 'advanced',
      // What it says when its memory is used up is for nobody.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: environment(),
    })
    const ready = new Promise(resolve => {
      for (const event of ['message', 'exit', 'error']) child.once(event, resolve)
    })
    const started = { child, ready, known: new Map() }
    child.once('exit', () => {
      if (running === started) running = undefined
    })
    child.on('error', () => {})
    // A program ends although this one waits for questions.
    child.unref()
    child.channel?.unref()
    return started
  }

  function stop(): void {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
  }

  function stopWhenIdle(): void {
    clearTimeout(idle)
    idle = setTimeout(stop, idleMs)
    idle.unref()
  }

  async function carryOut(
    lake: number,
    makeAsked: (known: Map<string, LakeDocument>) => Omit<Asked, 'limitMs'>,
  ): Promise<unknown> {
    clearTimeout(idle)
    running ??= start()
    const { child, known, ready } = running
    child.channel?.ref()
    await ready
    const documents = known.get(lake) ?? new Map<string, LakeDocument>()
    known.set(lake, documents)
    try {
      return outcomeOf(await exchange(child, { ...makeAsked(documents), limitMs }, limitMs + GRACE_MS))
    } catch (error) {
      // Whatever state it is in, the next question finds a new one.
      if (!(error instanceof LakeError)) stop()
      throw error instanceof Overrun ? overrun(error.message) : error
    } finally {
      child.channel?.unref()
      stopWhenIdle()
    }
  }

  return {
    stop,
    prepare() {
      if (running) return
      running = start()
      stopWhenIdle()
    },
    ask(lake, makeAsked) {
      if (waiting >= MOST_WAITING)
        return Promise.reject(refusal(503, 'Too many questions wait for an answer: try again in a moment'))
      waiting++
      const turn = queue.then(() => carryOut(lake, makeAsked)).finally(() => waiting--)
      queue = turn.catch(() => {})
      return turn
    },
    forget(lake) {
      if (running?.known.delete(lake) && running.child.connected) running.child.send({ forget: lake })
    },
  }
}

/** Sends a question and waits for what comes of it. Rejects with an Overrun when the process ends or is late. */
async function exchange(child: ChildProcess, asked: Asked, lastMs: number): Promise<Said> {
  const heard = Promise.withResolvers<Said>()
  const late = setTimeout(() => heard.reject(new Overrun('time')), lastMs)
  const ended = () => heard.reject(new Overrun('memory'))
  const hear = (message: unknown) => heard.resolve(message as Said)
  child.once('message', hear)
  child.once('exit', ended)
  try {
    // Fails where the process could not start or has just ended.
    child.send(asked, error => error && heard.reject(error))
    return await heard.promise
  } finally {
    clearTimeout(late)
    child.off('message', hear)
    child.off('exit', ended)
  }
}

class Overrun extends Error {
  override readonly name = 'Overrun'
}

function outcomeOf(said: Said): unknown {
  if ('done' in said) return said.done
  if ('refused' in said) throw new LakeError(...said.refused)
  if ('overrun' in said) throw overrun(said.overrun)
  throw new Error(said.failed)
}

function overrun(what: string): LakeError {
  const description = `This asks for more ${what} than there is for one request. Ask for less at once.`
  return new LakeError(400, description, { error: { type: 'queryEvaluationError', description } })
}

/** None of the site's settings, which hold its secrets. */
function environment(): NodeJS.ProcessEnv {
  const passed = ['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'TMPDIR', 'SystemRoot']
  return Object.fromEntries(passed.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])))
}

let lakes = 0

/** The sandbox of a lake, in a process of its own or one that is shared. */
export function createSandbox(
  store: Pick<Store, 'documents'>,
  { origin, projectId, dataset }: Place,
  process: SandboxProcess,
): Sandbox {
  const lake = ++lakes

  /** What has changed since the process was last asked: documents are never changed in place. */
  function changesSince(known: Map<string, LakeDocument>): Pick<Asked, 'put' | 'gone'> {
    const put = [...store.documents.values()].filter(document => known.get(document._id) !== document)
    const gone = [...known.keys()].filter(id => store.documents.get(id) === undefined)
    for (const document of put) known.set(document._id, document)
    for (const id of gone) known.delete(id)
    return { put, gone }
  }

  return {
    async workOut<T extends Task>(task: T) {
      const outcome = await process.ask(lake, known => ({
        lake,
        place: { origin: origin(), projectId, dataset },
        ...changesSince(known),
        task,
      }))
      return outcome as Outcomes[T['kind']]
    },
    prepare: process.prepare,
    close: () => process.forget(lake),
  }
}
