import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands between a program and its PostgreSQL, and can fall silent without closing anything. */
export interface HangingProxy {
  readonly url: string
  /** From now on nothing that either side says arrives. */
  hang(): void
  /** New connections work again; those that hung are lost. */
  goOn(): void
  stop(): void
}

const SOCKET = '.s.PGSQL.5432'

/** @param url of a PostgreSQL reached by a socket in a folder (`?host=/folder`) */
export async function startHangingProxy(url: string): Promise<HangingProxy> {
  const behind = new URL(url)
  const target = join(behind.searchParams.get('host') ?? '', SOCKET)
  const folder = mkdtempSync(join(tmpdir(), 'gc-proxy-'))
  const sockets = new Set<Socket>()
  let hangs = false
  const server = createServer(near => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', bytes => {
        if (!hangs) to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(join(folder, SOCKET), resolve))
  behind.searchParams.set('host', folder)
  return {
    url: behind.toString(),
    hang() {
      hangs = true
    },
    goOn() {
      for (const socket of sockets) socket.destroy()
      hangs = false
    },
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
