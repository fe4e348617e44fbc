import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Content } from './bare-page.ts'
import { installWhenNeeded, runScript } from './npm-project.ts'
import { PRODUCT_HEADERS, type Reference, startReference } from './reference.ts'

const FOLDER = fileURLToPath(new URL('../peers', import.meta.url))

/** Other ways to build the same screens, each a project of its own. */
export const PEERS = ['vite-react', 'next'] as const
export type PeerName = (typeof PEERS)[number]

/** The words of the screens, by their `data-screen`. */
export type Screens = Readonly<Record<string, Content>>

/** Builds a peer with these words and serves it as the product is: compressed, out of memory, with its headers. */
export async function startPeer(name: PeerName, screens: Screens): Promise<Reference> {
  const project = join(FOLDER, name)
  const given = join(project, 'given')
  mkdirSync(given, { recursive: true })
  for (const file of ['Screen.jsx', 'screen.css'])
    copyFileSync(join(FOLDER, 'shared', file), join(given, file))
  writeFileSync(join(given, 'screens.json'), JSON.stringify(withWords(screens)))
  await installWhenNeeded(project)
  const out = join(project, 'out')
  rmSync(out, { recursive: true, force: true })
  await runScript(project, 'build')
  return startReference(filesOf(out, Object.keys(screens)), { name, headers: PRODUCT_HEADERS })
}

const withWords = (screens: Screens): object =>
  Object.fromEntries(Object.entries(screens).map(([word, content]) => [word, { word, ...content }]))

/** Every file under its address; a screen's is its word, whichever file a peer keeps it in. */
function filesOf(out: string, words: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {}
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|json|txt)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    files[`/${path.slice(out.length + 1)}`] = readFileSync(path, 'utf8')
  }
  for (const word of words) {
    const page = files[`/${word}.html`] ?? files['/index.html']
    if (page === undefined) throw new Error(`${out} has no page for ${word}`)
    files[`/${word}`] = page
  }
  return files
}
