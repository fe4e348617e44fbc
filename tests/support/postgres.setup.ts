import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the temporary PostgreSQL's maintenance database; missing in the other projects. */
    postgresUrl: string
  }
}

/**
 * Starts a PostgreSQL of our own in a temporary folder, reached by a socket in that folder, and takes both away
 * afterwards. It may forget what a power cut would: no test cuts the power.
 */
export default async function setup(project: {
  provide(key: 'postgresUrl', value: string): void
}): Promise<() => Promise<void>> {
  const binaries = postgresBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'gc-pg-'))
  const user = whoRuns(folder)
  const data = join(folder, 'data')
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  const options = { cwd: folder, env, ...user }
  const make = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  execFileSync(join(binaries, 'initdb'), make, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })

  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    'fsync=off',
  ]
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, ...settings.flatMap(setting => ['-c', setting])],
    { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // SIGQUIT: stop at once. Also when the tests end in another way than by the tear-down.
  const stop = () => server.kill('SIGQUIT')
  process.once('exit', stop)
  await ready(server)
  project.provide('postgresUrl', `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`)

  return async () => {
    const gone = once(server, 'exit')
    stop()
    await gone
    process.off('exit', stop)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** PostgreSQL refuses root: as root, it runs as its own user, who is given the folder. */
function whoRuns(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, user.uid, user.gid)
  return user
}

async function ready(server: ReturnType<typeof spawn>): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      // Later words are read and dropped: a full pipe would stop the server.
      if (said.includes('ready to accept connections')) return
      said += chunk.toString()
      if (said.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', code => reject(new Error(`PostgreSQL did not start (${code}): ${said}`)))
  })
}
