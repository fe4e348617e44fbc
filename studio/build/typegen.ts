import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typegenInputs } from './typegen-inputs.ts'

/**
 * `npm run typegen`: makes `generated/schema.json` of the schemas, and of it and the site's questions the types of
 * `src/server/modules/content/generated`. With `--check` it changes nothing, and fails when they differ from what is kept.
 */
const studio = fileURLToPath(new URL('..', import.meta.url))
const kept = {
  'schema.json': join(studio, 'generated/schema.json'),
  'sanity.types.ts': join(studio, '../src/server/modules/content/generated/sanity.types.ts'),
}
// A fixed place: its name stands in the output.
const folder = join(studio, '.sanity/typegen')
const made = (name: string) => join(folder, name)
/** Its paths are taken from the Studio's folder. */
const sanity = (...args: string[]) =>
  execFileSync(join(studio, 'node_modules/.bin/sanity'), args, { cwd: studio, stdio: 'inherit' })

try {
  mkdirSync(folder, { recursive: true })
  sanity('schema', 'extract', '--enforce-required-fields', '--path', relative(studio, made('schema.json')))
  const settings = {
    path: join(studio, '../src/server/modules/content/queries.ts'),
    schema: made('schema.json'),
    generates: made('sanity.types.ts'),
    overloadClientMethods: false,
  }
  writeFileSync(made('settings.json'), JSON.stringify(settings))
  sanity('typegen', 'generate', '--config-path', made('settings.json'))

  if (process.argv.includes('--check')) {
    const stale = Object.entries(kept).filter(
      ([name, file]) => readFileSync(made(name), 'utf8') !== readFileSync(file, 'utf8'),
    )
    for (const [name] of stale) console.error(`${name} is stale: run "npm run typegen" in studio/`)
    process.exitCode = stale.length === 0 ? 0 : 1
  } else {
    for (const [name, file] of Object.entries(kept)) copyFileSync(made(name), file)
    writeFileSync(join(studio, 'generated/inputs.sha256'), `${typegenInputs()}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
