import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the bundle of the server lies, relative to the project's folder, and the name of its first file. */
export const SERVER_BUNDLE = { folder: 'dist/start', entry: 'serve' }

/** Loads the program that the build put together (docs/decisions/0132-the-server-as-few-files.md). */
export async function loadServer(root: string): Promise<typeof import('./serve.ts')> {
  return import(pathToFileURL(join(root, SERVER_BUNDLE.folder, `${SERVER_BUNDLE.entry}.mjs`)).href)
}
