import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A child process that talks in lines. */
export interface Child {
  send(line: string): void
  /** The next line that it writes, or undefined when it has ended. */
  nextLine(): Promise<string | undefined>
  /** kill −9, and wait until it is gone. */
  kill(): Promise<void>
}

/** Starts a TypeScript file of tests/support as a plain Node process. */
export function startChild(file: string): Child {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  // Writing to one that was killed is no fault of the test.
  child.stdin.on('error', () => {})
  return {
    send: line => void child.stdin.write(`${line}\n`),
    async nextLine() {
      const { value, done } = await lines.next()
      return done ? undefined : value
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
