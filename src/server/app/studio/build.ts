import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { acquireBuildLock } from './build-lock.ts'
import { isInstalled } from './packages.ts'
import { builtFolder, digestOf, type StudioProject } from './sources.ts'

export interface BuildOptions {
  /** The Studio's folder: a package of its own, whose `npm run build` makes `dist`. */
  readonly folder: string
  readonly project?: StudioProject | undefined
  /** Reports the progress, one sentence at a time. */
  readonly say: (sentence: string) => void
}

/** The most builds that are kept, since a running server may still serve an earlier one. */
const MOST_BUILDS = 4

/**
 * Installs the Studio's packages and builds it, unless that was done for exactly these sources, packages and
 * settings. Processes take turns. The output of npm goes to our output.
 * @returns the folder with the built files
 * @throws when a step fails; what was built before stays
 */
export async function buildStudio({ folder, project, say }: BuildOptions): Promise<string> {
  const digest = await digestOf(folder, project)
  const built = builtFolder(folder, digest)
  if (existsSync(built)) return built
  const release = await acquireBuildLock(join(folder, 'built'), () => say('another process prepares it'))
  try {
    if (existsSync(built)) return built
    if (!(await isInstalled(folder))) {
      say('installing its packages (a minute or two, once)')
      await npm(folder, ['ci', '--include=dev', '--no-audit', '--no-fund'], {})
    }
    say('building it')
    await npm(folder, ['run', 'build'], buildSettings(project))
    await rm(built, { recursive: true, force: true })
    // The folder's name is the digest, and the build is moved there when it is whole. No other build touches it.
    await rename(join(folder, 'dist'), built)
    await forgetOldBuilds(join(folder, 'built'), digest)
    return built
  } finally {
    release()
  }
}

/** The settings of the build. The Studio lies below `/studio`; without a project it edits the local lake. */
function buildSettings(project: StudioProject | undefined): Record<string, string> {
  return {
    SANITY_STUDIO_BASEPATH: '/studio',
    ...(project && {
      SANITY_STUDIO_PROJECT_ID: project.projectId,
      SANITY_STUDIO_DATASET: project.dataset,
    }),
  }
}

async function npm(folder: string, args: readonly string[], settings: Record<string, string>): Promise<void> {
  const child = spawn('npm', [...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...harmless(process.env), ...settings, CI: '1', DO_NOT_TRACK: '1' },
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0)
    throw new Error(`npm ${args[0] === 'ci' ? 'ci' : args.join(' ')} failed (exit code ${code})`)
}

/** The part of our environment that npm needs. The rest holds secrets, and packages run code of their own. */
function harmless(environment: NodeJS.ProcessEnv): Record<string, string> {
  const passed =
    /^(?:HOME|USER|LANG|LC_\w+|TMPDIR|TERM|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|XDG_\w+|npm_config_\w+)$/i
  const ownPlace = /^npm_config_(?:local_prefix|global_prefix|prefix)$/i
  const kept = Object.entries(environment).filter(([name]) => passed.test(name) && !ownPlace.test(name))
  // The Node of this process comes first in the path.
  const path = `${dirname(process.execPath)}:${environment.PATH ?? ''}`
  return { ...(Object.fromEntries(kept) as Record<string, string>), PATH: path }
}

async function forgetOldBuilds(folder: string, current: string): Promise<void> {
  await utimes(join(folder, current), new Date(), new Date())
  const entries = await readdir(folder, { withFileTypes: true })
  const builds = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(folder, name))
  const aged = await Promise.all(builds.map(async path => ({ path, at: (await stat(path)).mtimeMs })))
  const old = aged.toSorted((one, other) => other.at - one.at).slice(MOST_BUILDS)
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })))
}
