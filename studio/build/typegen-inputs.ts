import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const studio = fileURLToPath(new URL('..', import.meta.url))

/** What the generated types are made of, besides the schemas. */
const OTHERS = [
  '../src/domain/languages.ts',
  '../src/domain/campaign/campaigns.ts',
  '../src/domain/themes.ts',
  '../src/server/modules/content/queries.ts',
]

/** Names everything that the generated schema and types depend on: another name, and they are to be made again. */
export function typegenInputs(): string {
  const schemas = readdirSync(join(studio, 'src/schemas')).map(file => join('src/schemas', file))
  const hash = createHash('sha256').update(sanityVersion())
  for (const file of [...schemas.sort(), ...OTHERS]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(studio, file)))
  }
  return hash.digest('hex')
}

function sanityVersion(): string {
  const { dependencies } = JSON.parse(readFileSync(join(studio, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>
  }
  return dependencies.sanity ?? ''
}
