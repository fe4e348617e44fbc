import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStudio } from './build.ts'

/**
 * `npm run studio`: prepares the Studio for the project of the environment. A starting site runs it in the background.
 * The output has one sentence a line (`studio: …`). The exit code is 0 when the Studio is ready.
 * The first argument may name the Studio's folder.
 */
const folder = process.argv[2] ?? join(fileURLToPath(new URL('../../../..', import.meta.url)), 'studio')
const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset } = process.env

// The reader of the output may be gone, but the work is finished all the same.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

try {
  const built = await buildStudio({
    folder,
    project: projectId ? { projectId, dataset: dataset || 'production' } : undefined,
    say: sentence => process.stdout.write(`studio: ${sentence}\n`),
  })
  process.stdout.write(`studio: ready in ${built}\n`)
} catch (error) {
  process.stderr.write(`studio: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
