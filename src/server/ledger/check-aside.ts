import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Location } from '#server/db/database.ts'
import type { Finding } from '#server/ledger/findings.ts'

/** What the process says at its end. */
export type Checked = { readonly findings: readonly Finding[] } | { readonly failure: string }

const CHILD = fileURLToPath(new URL('./check-child.ts', import.meta.url))
/** For the heap. */
const MEGABYTES = 256

/** What runs there, for tests. */
export interface Aside {
  readonly program?: string
  /** The Node that runs it. */
  readonly execPath?: string
}

/**
 * Checks the ledger in a process of its own: the embedded database's long reads stop nobody, and what they need of
 * memory goes back to the machine with the process (a thread's stayed with the server, some 38 MB).
 * @throws Error when the check cannot be made
 */
export async function checkAside(
  { dataDir, databaseUrl }: Location,
  { program = CHILD, execPath = process.execPath }: Aside = {},
): Promise<readonly Finding[]> {
  const child = fork(program, {
    execPath,
    // Whoever ends the site by its group of processes (Ctrl+C) leaves this one to the site.
    detached: true,
    execArgv: [`--max-old-space-size=${MEGABYTES}`],
    // As a thread would get it: numbers, dates and undefined as they are.
    serialization: 'advanced',
  })
  const checked = await new Promise<Checked>((resolve, reject) => {
    let said: Checked | undefined
    child.once('message', message => {
      said = message as Checked
    })
    // A process that never came fails twice: when it should start, and when it is spoken to. One that came and ended
    // may fail when it is spoken to as well; how it ended says more.
    child.on('error', error => {
      if (child.pid === undefined) reject(error)
    })
    child.once('close', (code, signal) =>
      resolve(said ?? { failure: `its process ended without a word (${signal ?? `code ${code}`})` }),
    )
    child.send({ dataDir, databaseUrl } satisfies Location)
  })
  if ('failure' in checked) throw new Error(`The ledger could not be checked: ${checked.failure}`)
  return checked.findings
}
