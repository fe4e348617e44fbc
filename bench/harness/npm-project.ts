import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The product's own Node first, as in every npm script. */
const environment = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NEXT_TELEMETRY_DISABLED: '1',
}
const STAMP = 'node_modules/.installed-from'

/** Installs a package of the benchmark's own as its lock says, unless that is done already. @returns was it done now? */
export async function installWhenNeeded(folder: string): Promise<boolean> {
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).digest('hex')
  const stamp = join(folder, STAMP)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return false
  console.error(`installing ${folder}`)
  await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder, env: environment })
  writeFileSync(stamp, digest)
  return true
}

/** @throws Error with what the script said when it fails */
export async function runScript(folder: string, script: string): Promise<void> {
  await run('npm', ['run', script], { cwd: folder, env: environment })
}
