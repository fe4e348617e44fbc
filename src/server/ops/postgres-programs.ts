import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from './command.ts'

type Program = 'pg_dump' | 'pg_restore' | 'psql'

/** Runs one of PostgreSQL's own programs on a database. @throws Refusal when it is missing or fails, with what it said */
export function runPostgresProgram(
  program: Program,
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  return begin(program, args, ['ignore', 'ignore', 'pipe'], databaseUrl).done
}

/**
 * Carries out the statements of `first`, then those of a backup, then those of `last`, all in one transaction. Where the
 * database or the file fails, nothing is changed.
 * @throws Refusal when a program is missing or fails, with what it said
 */
export async function replayBackup(
  databaseUrl: string,
  file: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<void> {
  const options = ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-']
  const target = begin('psql', options, ['pipe', 'ignore', 'pipe'], databaseUrl)
  const source = begin('pg_restore', ['--no-owner', '--file=-', file], ['ignore', 'pipe', 'pipe'])
  const input = target.child.stdin as Writable
  // A broken pipe is ignored, since the program's exit code says more.
  input.on('error', () => {})
  // What goes with a table would stand before the error, and only so much of it is shown.
  input.write(`begin;\nset local client_min_messages = warning;\n${first}\n`)
  const passedOn = pipeline(source.child.stdout as Readable, input, { end: false })
  const outcomes = await Promise.allSettled([source.done, passedOn])
  // Without the `commit`, the statements of a broken file are undone.
  input.end(outcomes.every(({ status }) => status === 'fulfilled') ? `${last}\ncommit;\n` : undefined)
  await target.done
  await source.done
}

interface Running {
  readonly child: ChildProcess
  readonly done: Promise<void>
}

/** Starts a program. The password goes through the environment, where other users of the machine do not see it. */
function begin(
  program: Program,
  args: readonly string[],
  stdio: StdioOptions,
  databaseUrl?: string,
): Running {
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl)
  const password = decodeURIComponent(url?.password ?? '')
  if (url) url.password = ''
  const child = spawn(program, [...args, ...(url ? [`--dbname=${url}`] : [])], {
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
    stdio,
  })
  const said: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const done = (async () => {
    const code = await new Promise<number | string>(end => {
      child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'))
      child.once('close', exit => end(exit ?? 'signal'))
    })
    if (code === 'ENOENT')
      throw new Refusal(`${program} is not on this machine: install PostgreSQL’s client programs.`)
    if (code !== 0) throw new Refusal(`${program} failed (${code}): ${said.join('').trim().slice(0, 500)}`)
  })()
  // The caller may wait for another program first, so a failure must not count as unhandled meanwhile.
  done.catch(() => {})
  return { child, done }
}
