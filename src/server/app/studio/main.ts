import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildStudio } from './build.ts'

/**
 * `npm run studio`, and what a starting site runs behind itself: prepares the Studio for the project of the
 * environment, one sentence a line (`studio: …`) on the output. Ends with exit code 0 once it is there.
 * The Studio's folder may be given as an argument.
 */
const folder = process.argv[2] ?? join(fileURLToPath(new URL('../../../..', import.meta.url)), 'studio')
const { SANITY_PROJECT_ID: projectId, SANITY_DATASET: dataset } = process.env

// Whoever listened may be gone; the work is worth finishing all the same.
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
