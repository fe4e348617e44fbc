import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below 32768: no system gives these to an outgoing connection, which could take the port while a server restarts. */
const FIRST = 16_000
const HOW_MANY = 8_000

/** What this process has taken, and what of it nobody uses at the moment. */
const taken = new Set<number>()
const givenBack = new Set<number>()

/**
 * A port on which nothing listens now, for a server that may stop and start again on it: no other process of the tests
 * gets it before this one ends. The lowest there is, so that few addresses are in use: the product compresses its pages
 * once for each, which takes more than all else of a start.
 */
export async function freePort(): Promise<number> {
  for (let port = FIRST; port < FIRST + HOW_MANY; port++) {
    // Nobody who asks meanwhile gets it too.
    if (givenBack.delete(port)) {
      if (await isFree(port)) return port
      givenBack.add(port)
    } else if (!taken.has(port) && (await take(port))) return port
  }
  throw new Error('Every port of the tests is in use.')
}

/** This process may use the port for another server. */
export function giveBack(port: number): void {
  if (taken.has(port)) givenBack.add(port)
}

/** The port is in use again, by a server that is started where an earlier one was. */
export function takeAgain(port: number): void {
  givenBack.delete(port)
}

/** Keeps other processes away, by listening on the port's twin until this process ends. */
async function take(port: number): Promise<boolean> {
  const twin = await listenOn(port + HOW_MANY)
  if (twin === undefined) return false
  if (!(await isFree(port))) {
    twin.close()
    return false
  }
  twin.unref()
  taken.add(port)
  return true
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listenOn(port)
  if (probe === undefined) return false
  probe.close()
  await once(probe, 'close')
  return true
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}
