import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Problem, type ProblemCode, type ProblemDetails } from '#domain/problems.ts'
import type { GivenSecrets } from '#server/modules/gifts/cards/secrets.ts'
import type { AnswerTo, Question } from '#server/modules/reports/queries.ts'
import type { Location } from '#server/platform/db/database.ts'

/** The request to the process. */
export interface WorkerRequest {
  readonly question: Question
  readonly location: Location
  /** Epoch ms UTC. */
  readonly now: number
  /** Of the card keys. They go over the pipe between the two processes alone. */
  readonly secrets?: GivenSecrets | undefined
}

/** The reply of the process at its end. */
export type WorkerReply =
  | { readonly answer: unknown }
  | { readonly problem: ProblemCode; readonly details: ProblemDetails }
  | { readonly failure: string }

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
/** The most that the heap of the worker may take. */
const MEGABYTES = 256

export interface WorkerOptions {
  /** Ends the process, whatever it is at: it only reads. */
  readonly signal?: AbortSignal
  /** Of the card keys, for what looks at seals. */
  readonly secrets?: GivenSecrets | undefined
  /** What runs there, for tests. */
  readonly program?: string
  /** The Node that runs it, for tests. */
  readonly execPath?: string
}

/**
 * Has something read in a process of its own: the embedded database's long reads stop nobody, and what they need of
 * memory goes back to the machine with the process (a thread's stayed with the server, some 38 MB).
 * @throws Problem as the database has them; Error when the process cannot be had, or ends without a word
 */
export async function askWorker<Q extends Question>(
  question: Q,
  { dataDir, databaseUrl, sandbox }: Location,
  now: number,
  { signal, secrets, program = CHILD, execPath = process.execPath }: WorkerOptions = {},
): Promise<AnswerTo<Q>> {
  const child = fork(program, {
    execPath,
    // It waits for a reader of many seconds to hear anything gentler.
    ...(signal && { signal, killSignal: 'SIGKILL' }),
    // A signal to the site's group of processes (Ctrl+C) does not end this process. The site does.
    detached: true,
    execArgv: [`--max-old-space-size=${MEGABYTES}`],
    // As a thread would get it: numbers, dates and undefined as they are.
    serialization: 'advanced',
  })
  const heard = await new Promise<WorkerReply>((resolve, reject) => {
    let reply: WorkerReply | undefined
    child.once('message', message => {
      reply = message as WorkerReply
    })
    // A process that never came fails twice: when it should start, and when it is spoken to. One that came and ended
    // may fail when it is spoken to as well; how it ended says more.
    child.on('error', error => {
      if (child.pid === undefined) reject(error)
    })
    child.once('close', (code, signal) =>
      resolve(reply ?? { failure: `its process ended without a word (${signal ?? `code ${code}`})` }),
    )
    child.send({
      question,
      location: { dataDir, databaseUrl, sandbox },
      now,
      secrets,
    } satisfies WorkerRequest)
  })
  if ('problem' in heard) throw new Problem(heard.problem, heard.details)
  if ('failure' in heard) throw new Error(`The ${question} could not be read: ${heard.failure}`)
  return heard.answer as AnswerTo<Q>
}
