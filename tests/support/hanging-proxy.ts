import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Stands between a program and its PostgreSQL, and can fall silent without closing anything, or be gone. */
export interface HangingProxy {
  readonly url: string
  /** From now on nothing that either side says arrives. */
  hang(): void
  /** From now on every connection breaks at once. */
  cutOff(): void
  /** New connections work again; the old ones are lost. */
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
  let isGone = false
  const loseAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer(near => {
    if (isGone) return void near.destroy()
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
    cutOff() {
      isGone = true
      loseAll()
    },
    goOn() {
      loseAll()
      hangs = false
      isGone = false
    },
    stop() {
      loseAll()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
