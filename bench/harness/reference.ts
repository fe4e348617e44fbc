import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { withSecurity } from '#server/http/transport/security-headers.ts'
import type { Served } from './reference-server.ts'

/** A server to compare with. */
export interface Reference {
  readonly name: string
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/**
 * What the product sends with every page, with a policy that allows a page whatever is its own. A browser acts on them
 * before it reads a word: a page that keeps others out (`Cross-Origin-Opener-Policy`) gets a process of its own once
 * its headers are there, which takes 40 ms of the first paint and more.
 */
export const PRODUCT_HEADERS = withSecurity([], "default-src 'self' 'unsafe-inline' data:; base-uri 'none'")

/**
 * Serves these files, by their paths, out of another process's memory.
 * @param headers names and values, for every answer
 */
export async function startReference(
  files: Readonly<Record<string, string>>,
  { name = 'a page in memory', headers = [] }: { name?: string; headers?: readonly string[] } = {},
): Promise<Reference> {
  const file = fileURLToPath(new URL('reference-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify({ files, headers } satisfies Served)}\n`)
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
