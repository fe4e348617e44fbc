import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { published } from '#server/modules/content/validate.ts'
import { versionOf } from '#server/modules/legal/text-in-force.ts'

interface SeedDocument {
  readonly _id: string
  readonly operator?: unknown
  readonly body?: unknown
}

const SEED = fileURLToPath(new URL('../../studio/seed/production.ndjson', import.meta.url))

function versionOfSeed(): string {
  const documents = readFileSync(SEED, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as SeedDocument)
  const find = (id: string) => documents.find(({ _id }) => _id === id)
  const operator = published.shape.operator.parse(find('settings')?.operator)
  const body = published.shape.legalTexts.shape.terms.parse(find('page-terms')?.body)
  if (!operator || !body) throw new Error('The seed has no terms.')
  return versionOf('terms', { operator, body })
}

/** What a buyer accepts on a site with the seed's content, as the gateway takes it. */
export const SEED_TERMS = { terms_version: versionOfSeed(), fulfilment_consent: true } as const
