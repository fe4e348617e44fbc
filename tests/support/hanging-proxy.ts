import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LineProxy, startProxy } from './proxy.ts'

/** A proxy in front of a PostgreSQL. */
export interface HangingProxy extends LineProxy {
  readonly url: string
}

const SOCKET = '.s.PGSQL.5432'

/** @param url of a PostgreSQL reached by a socket in a folder (`?host=/folder`) */
export async function startHangingProxy(url: string): Promise<HangingProxy> {
  const behind = new URL(url)
  const target = join(behind.searchParams.get('host') ?? '', SOCKET)
  const folder = mkdtempSync(join(tmpdir(), 'gc-proxy-'))
  const proxy = await startProxy({ path: join(folder, SOCKET) }, { path: target })
  behind.searchParams.set('host', folder)
  return {
    ...proxy,
    url: behind.toString(),
    stop() {
      proxy.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
