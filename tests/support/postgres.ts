import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notAsRoot, untilSaid } from '#tests/support/debian.ts'
import { folderInMemory } from '#tests/support/memory-folder.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

/** A PostgreSQL of our own in a temporary folder, reached by a socket in that folder. */
export interface TemporaryPostgres {
  /** URL of its maintenance database. */
  readonly url: string
  /** Ends it and takes the folder away. */
  stop(): Promise<void>
}

/** @param durable without it the server may forget what a power cut would: enough where nobody cuts the power */
export async function startPostgres({ durable }: { durable: boolean }): Promise<TemporaryPostgres> {
  const binaries = postgresBinaries()
  const folder = mkdtempSync(join(durable ? tmpdir() : folderInMemory(), 'gc-pg-'))
  const user = notAsRoot(folder)
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const options = { cwd: folder, env, ...user }
  const make = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(join(binaries, 'initdb'), make, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })

  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    // What is asked once takes longer to compile than to ask.
    'jit=off',
    `fsync=${durable ? 'on' : 'off'}`,
  ]
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, ...settings.flatMap(setting => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // SIGQUIT: stop at once. Also when the process ends in another way than by `stop`.
  const quit = () => server.kill('SIGQUIT')
  process.once('exit', quit)
  await untilSaid(server, 'ready to accept connections')
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      const gone = once(server, 'exit')
      quit()
      await gone
      process.off('exit', quit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
