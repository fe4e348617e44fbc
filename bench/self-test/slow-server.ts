/** Loaded before the server: every answer costs 50 ms of processor time more. A planted fault, for the self-test. */
import http, { type RequestListener, type ServerOptions } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

const LATE_MS = 50

const { createServer } = http
const createSlowServer = (options: ServerOptions, listener: RequestListener) =>
  createServer(options, (request, response) => {
    const start = performance.now()
    while (performance.now() - start < LATE_MS);
    listener(request, response)
  })
Object.assign(http, { createServer: createSlowServer })
syncBuiltinESMExports()
