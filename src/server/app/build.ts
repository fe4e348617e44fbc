import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

/** The files in which the build notes the digest of its sources, and of what the file system says of them. */
const STAMP = 'dist/built-from'
const LOOK_STAMP = 'dist/built-from-files'

/** Two digests of the sources: of what they hold, and of what the file system says of them. */
export interface Sources {
  readonly content: string
  readonly look: string
}

/**
 * @param root the project's folder
 * @returns was `dist` made from exactly these sources?
 */
export async function isBuilt(root: string): Promise<boolean> {
  const look = await lookOfSources(root)
  // Files of the same size and time are the same: to read them all would take a fifth of a start.
  if ((await textOf(join(root, LOOK_STAMP))) === look) return true
  if ((await textOf(join(root, STAMP))) !== (await contentOfSources(root))) return false
  await writeFile(join(root, LOOK_STAMP), look)
  return true
}

/**
 * Builds the site unless `dist` was made from exactly these sources.
 * @param root the project's folder
 * @throws when the build fails
 */
export async function buildWhenNeeded(root: string): Promise<void> {
  if (await isBuilt(root)) return
  const sources = await sourcesIn(root)
  // A build that breaks off leaves nothing that is taken for whole.
  await Promise.all([STAMP, LOOK_STAMP].map(file => rm(join(root, file), { force: true })))
  await build(root)
  await noteBuilt(root, sources)
}

/** What a build that begins now is made of. */
export async function sourcesIn(root: string): Promise<Sources> {
  return { content: await contentOfSources(root), look: await lookOfSources(root) }
}

/** Notes beside what was built what it was made of. */
export async function noteBuilt(root: string, { content, look }: Sources): Promise<void> {
  await writeFile(join(root, STAMP), content)
  await writeFile(join(root, LOOK_STAMP), look)
}

const textOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)

/** @param said what counts of one file */
async function digestOf(root: string, said: (file: string) => Promise<string | Buffer>): Promise<string> {
  const hash = createHash('sha256').update(process.versions.node)
  for (const source of SOURCES) {
    const path = join(root, source)
    if (!existsSync(path)) continue
    for (const file of await filesUnder(path))
      hash.update(`\0${relative(root, file)}\0`).update(await said(file))
  }
  return hash.digest('hex')
}

const contentOfSources = (root: string): Promise<string> => digestOf(root, file => readFile(file))

const lookOfSources = (root: string): Promise<string> =>
  digestOf(root, async file => {
    const { size, mtimeMs } = statSync(file)
    return `${size}\0${mtimeMs}`
  })

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
