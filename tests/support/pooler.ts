import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installFromDebian, notAsRoot, untilSaid } from './debian.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const PORT = 6432

/** A PgBouncer of our own in front of a PostgreSQL, which gives each transaction whichever connection is free. */
export interface TemporaryPooler {
  /** The way to the same database through the pooler. @param databaseUrl as of tests/support/postgres.ts */
  urlOf(databaseUrl: string): string
  readonly pid: number
  /** Ends it and takes its folder away. */
  stop(): Promise<void>
}

/**
 * @param postgresUrl of the PostgreSQL, reached by a socket
 * @param connections how many it keeps to each database; one makes whatever a client leaves on it everybody's
 * @throws Error with a sentence where PgBouncer is missing and cannot be installed
 */
export async function startPooler(
  postgresUrl: string,
  { connections = 10 }: { readonly connections?: number } = {},
): Promise<TemporaryPooler> {
  ensurePgBouncer()
  const folder = mkdtempSync(join(tmpdir(), 'gc-pooler-'))
  const user = notAsRoot(folder)
  const file = join(folder, 'pgbouncer.ini')
  const postgres = new URL(postgresUrl)
  writeFileSync(
    file,
    `[databases]
* = host=${postgres.searchParams.get('host')} user=${postgres.username}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = ${PORT}
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 400
`,
  )
  const pooler = spawn(PGBOUNCER, [file], { cwd: folder, ...user, stdio: ['ignore', 'ignore', 'pipe'] })
  const quit = () => pooler.kill('SIGKILL')
  process.once('exit', quit)
  await untilSaid(pooler, 'process up')
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(PORT)
      url.searchParams.set('host', folder)
      return url.toString()
    },
    pid: pooler.pid ?? 0,
    async stop() {
      const gone = once(pooler, 'exit')
      quit()
      await gone
      process.off('exit', quit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** As root, a missing PgBouncer is installed. */
function ensurePgBouncer(): void {
  if (existsSync(PGBOUNCER)) return
  installFromDebian('pgbouncer')
  if (!existsSync(PGBOUNCER))
    throw new Error(`PgBouncer is missing (${PGBOUNCER}): install it, the tests of money run through it too.`)
}
