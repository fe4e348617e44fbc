import { spawn } from 'node:child_process'
import { Refusal } from './command.ts'

/**
 * Runs one of PostgreSQL's own programs on a database. The password goes through the environment, where other users
 * of the machine do not see it.
 * @throws Refusal when the program is missing or fails, with what it said
 */
export async function runPostgresProgram(
  program: 'pg_dump' | 'pg_restore',
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const said: string[] = []
  const code = await new Promise<number | string>(done => {
    const child = spawn(program, [...args, `--dbname=${url}`], {
      env: { ...process.env, ...(password && { PGPASSWORD: password }) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    child.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'error'))
    child.once('exit', exit => done(exit ?? 'signal'))
  })
  if (code === 'ENOENT')
    throw new Refusal(`${program} is not on this machine: install PostgreSQL’s client programs.`)
  if (code !== 0) throw new Refusal(`${program} failed (${code}): ${said.join('').trim().slice(0, 500)}`)
}
