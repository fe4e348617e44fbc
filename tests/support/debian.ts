import { execFileSync, type spawn } from 'node:child_process'
import { chownSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tests beside each other may lack several packages: one after the other installs its own. */
const LOCK = join(tmpdir(), 'gift-cards-apt.lock')

/**
 * Installs a package of Debian, as root. Where that cannot be done nothing happens: the caller looks again, and says what
 * is missing.
 */
export function installFromDebian(name: string): void {
  if (process.getuid?.() !== 0) return
  const alone = (...args: readonly string[]) =>
    execFileSync('flock', [LOCK, 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  try {
    alone('update')
    alone('install', '-y', '--no-install-recommends', name)
  } catch {
    // Not there, or no network.
  }
}

/** The user of PostgreSQL, who is given a folder, for a program that refuses root; whoever runs the tests where that is not root. */
export function notAsRoot(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const user = { uid: id('-u'), gid: id('-g') }
  chownSync(folder, user.uid, user.gid)
  return user
}

/**
 * Waits until a program says that it is there.
 * @param words that it writes to its error output then
 * @throws Error with all that it has said, where it ends before
 */
export async function untilSaid(program: ReturnType<typeof spawn>, words: string): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    program.stderr?.on('data', (chunk: Buffer) => {
      // Later words are read and dropped: a full pipe would stop the program.
      if (said.includes(words)) return
      said += chunk.toString()
      if (said.includes(words)) resolve()
    })
    program.once('error', reject)
    program.once('exit', code => reject(new Error(`${program.spawnfile} did not start (${code}): ${said}`)))
  })
}
