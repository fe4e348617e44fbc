import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'

/** Which content the Studio edits: a hosted project, or without one the local lake. */
export interface StudioProject {
  readonly projectId: string
  readonly dataset: string
}

/** Names in the Studio's folder that are no sources of it. `seed` is content that only the site reads. */
const NOT_SOURCES: ReadonlySet<string> = new Set(['node_modules', 'dist', 'built', 'seed'])

/** Is there a Studio to build? */
export function hasStudio(folder: string): boolean {
  return existsSync(join(folder, 'package.json'))
}

/**
 * The digest of everything that a build depends on: sources, packages, project and Node.
 * @param folder the Studio's own folder
 */
export async function digestOf(folder: string, project: StudioProject | undefined): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.versions.node, project ?? null]))
  for (const file of [...(await sourceFiles(folder)), ...(await sharedFiles(folder))]) {
    hash.update(`\0${relative(folder, file)}\0`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 24)
}

/** The paths that the Studio shares with the site: the domain, the list of the pages, and the guides. */
const SHARED = ['../src/domain', '../src/paths.ts', '../docs/guides']

async function sourceFiles(folder: string): Promise<string[]> {
  const shared = await Promise.all(SHARED.map(path => filesAt(join(folder, path))))
  return [...(await ownFiles(folder)), ...shared.flat()].sort()
}

async function ownFiles(folder: string): Promise<string[]> {
  const top = await readdir(folder, { withFileTypes: true })
  const sources = top.filter(({ name }) => !NOT_SOURCES.has(name) && !name.startsWith('.'))
  const found = await Promise.all(sources.map(({ name }) => filesAt(join(folder, name))))
  return found.flat()
}

/** The file itself, or every file below the folder; an empty list where the path does not exist. */
async function filesAt(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  const below = await readdir(path, { recursive: true, withFileTypes: true })
  return below.filter(each => each.isFile()).map(each => join(each.parentPath, each.name))
}

/** The files that the Studio imports from the site, and the files that those import in turn. */
async function sharedFiles(folder: string): Promise<string[]> {
  const door = join(folder, 'src/product.ts')
  if (!existsSync(door)) return []
  const domain = join(folder, '../src/domain')
  const found = new Set([door])
  // A loop over a set also visits the values that are added during the loop.
  for (const file of found) {
    const text = await readFile(file, 'utf8')
    for (const [, path = ''] of text.matchAll(/\bfrom '((?:\.{1,2}|#domain)\/[^']+)'/g)) {
      found.add(join(path.startsWith('#') ? domain : dirname(file), path.replace('#domain/', '')))
    }
  }
  return [...found].sort()
}

/** The folder of a finished build. */
export const builtFolder = (folder: string, digest: string): string => join(folder, 'built', digest)
