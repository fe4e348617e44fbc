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

/** Serves these files, by their paths, out of another process's memory. */
export async function startReference(
  files: Readonly<Record<string, string>>,
  name = 'a page in memory',
): Promise<Reference> {
  const file = fileURLToPath(new URL('reference-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify(files)}\n`)
  const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (port === undefined) throw new Error('The reference server did not start')
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
