import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'

/** What the site is built from, relative to the project's folder. */
const SOURCES = [
  'src',
  'locales',
  'public',
  'astro.config.mjs',
  'astro-i18next.config.cjs',
  'package-lock.json',
  'tsconfig.json',
]

/** The file in which the build notes the digest of its sources. */
const STAMP = 'dist/built-from'

/**
 * Builds the site unless `dist` was made from exactly these sources.
 * @param root the project's folder
 * @returns whether it had to be built
 * @throws when the build fails
 */
export async function buildWhenNeeded(root: string): Promise<boolean> {
  const digest = await digestOfSources(root)
  const stamp = join(root, STAMP)
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === digest) return false
  await build(root)
  await writeFile(stamp, digest)
  return true
}

async function digestOfSources(root: string): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node)
  for (const source of SOURCES) {
    const path = join(root, source)
    if (!existsSync(path)) continue
    for (const file of await filesUnder(path)) {
      hash.update(`\0${relative(root, file)}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

/** The file itself, or every file below the folder, in a stable order. */
async function filesUnder(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** Runs Astro's own build, its progress on our output. */
async function build(root: string): Promise<void> {
  const packageFile = createRequire(join(root, 'package.json')).resolve('astro/package.json')
  const command = join(packageFile, '..', 'bin', 'astro.mjs')
  const child = spawn(process.execPath, [command, 'build'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`the build of the site failed (exit code ${code})`)
}
