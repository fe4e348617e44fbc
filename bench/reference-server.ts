/**
 * The least a server can do, in a process of its own: pages held in memory, compressed once. Reads one JSON line,
 * `{ "/path": "html" }`, and writes the port it listens on.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { brotliCompressSync } from 'node:zlib'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const pages = JSON.parse((await lines.next()).value ?? '{}') as Record<string, string>
const bodies = new Map(Object.entries(pages).map(([path, html]) => [path, brotliCompressSync(html)]))

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '')
  if (!body) return void response.writeHead(404).end()
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'br',
    'Content-Length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
