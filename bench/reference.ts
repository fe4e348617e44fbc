import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server to compare with. */
export interface Reference {
  readonly name: string
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Serves these pages, by their paths, out of another process's memory. */
export async function startReference(pages: Readonly<Record<string, string>>): Promise<Reference> {
  const file = fileURLToPath(new URL('reference-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify(pages)}\n`)
  const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (port === undefined) throw new Error('The reference server did not start')
  return {
    name: 'a page in memory',
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
