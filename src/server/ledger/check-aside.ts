import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Location } from '#server/db/database.ts'
import type { Finding } from '#server/ledger/findings.ts'

/** What the process says at its end. */
export type Checked = { readonly findings: readonly Finding[] } | { readonly failure: string }

const CHILD = fileURLToPath(new URL('./check-child.ts', import.meta.url))
/** For the heap. */
const MEGABYTES = 256

/**
 * Checks the ledger in a process of its own: the embedded database's long reads stop nobody, and what they need of
 * memory goes back to the machine with the process (a thread's stayed with the server, some 38 MB).
 * @throws Error when the check cannot be made
 */
export async function checkAside({ dataDir, databaseUrl }: Location): Promise<readonly Finding[]> {
  const child = fork(CHILD, {
    execArgv: [`--max-old-space-size=${MEGABYTES}`],
    // As a thread would get it: numbers, dates and undefined as they are.
    serialization: 'advanced',
  })
  const checked = await new Promise<Checked>((resolve, reject) => {
    let said: Checked = { failure: 'it ended without a word' }
    child.once('message', message => {
      said = message as Checked
    })
    // A process that never came fails twice: when it should start, and when it is spoken to.
    child.on('error', reject)
    child.once('close', () => resolve(said))
    child.send({ dataDir, databaseUrl } satisfies Location)
  })
  if ('failure' in checked) throw new Error(`The ledger could not be checked: ${checked.failure}`)
  return checked.findings
}
