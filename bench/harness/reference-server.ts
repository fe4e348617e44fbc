/**
 * The least a server can do, in a process of its own: files held in memory, compressed once. Reads one JSON line,
 * `{ "files": { "/path": "text" }, "headers": ["name", "value", …] }`, the headers for every answer, and writes the
 * port it listens on.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { brotliCompressSync } from 'node:zlib'

export interface Served {
  readonly files: Readonly<Record<string, string>>
  readonly headers: readonly string[]
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { files, headers } = JSON.parse((await lines.next()).value ?? '{}') as Served
const bodies = new Map(Object.entries(files).map(([path, html]) => [path, brotliCompressSync(html)]))

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
}

/** A path without an ending is a page. */
const typeOf = (path: string): string => TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8'

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://reference')
  const body = bodies.get(pathname)
  if (!body) return void response.writeHead(404).end()
  response.writeHead(200, [
    ...['Content-Type', typeOf(pathname)],
    ...['Content-Encoding', 'br'],
    ...['Content-Length', String(body.length)],
    ...headers,
  ])
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
