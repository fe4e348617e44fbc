import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build.ts'
import { loadServer } from './server-bundle.ts'

/**
 * `npm start`, `npm run dev` and `npm run worker`: loads the program and runs it, from the bundle where one was made of
 * these very sources.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
// Compiled once, modules need less memory and start sooner. `npm start` names the same folder before this file is read:
// where not even this file needs it, Node does not load its compiler of TypeScript, 15 MB.
enableCompileCache(join(root, 'node_modules/.cache/server'))

const hasBundle = !process.argv.includes('--dev') && (await isBuilt(root))
const { serve } = hasBundle ? await loadServer(root) : await import('./serve.ts')
await serve({ root, isBuilt: hasBundle })
