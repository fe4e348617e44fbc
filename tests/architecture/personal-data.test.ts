import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { TABLES_IN_ORDER } from '#server/ops/move.ts'

/** Purposes that no table stands for: what passes through, or lies in logs and in memory. */
const WITHOUT_TABLE = ['logs', 'security']
const NOBODYS = 'nobody’s'

/** The rows of the table in docs/security.md: tables and their purpose. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('## Whose data lies in which table')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split('|').map(cell => cell.trim()))
  .map(([, tables = '', purpose = '']) => ({ tables: tables.match(/\w+/g) ?? [], purpose }))

interface SeedPage {
  readonly _id: string
  readonly body?: Readonly<Record<string, readonly { readonly _key: string }[]>>
}

const privacy = readFileSync('studio/seed/production.ndjson', 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as SeedPage)
  .find(({ _id }) => _id === 'page-privacy')

describe('personal data', () => {
  it('has a row for every table that there is', () => {
    expect(rows.flatMap(({ tables }) => tables).sort()).toEqual([...TABLES_IN_ORDER].sort())
  })

  it.each(LANGUAGES)('has lines in the privacy text for each purpose, in %s', language => {
    const keys = privacy?.body?.[language]?.map(({ _key }) => _key) ?? []
    const purposes = rows.map(({ purpose }) => purpose.replace("'", '’')).filter(each => each !== NOBODYS)
    const silent = [...purposes, ...WITHOUT_TABLE].filter(
      purpose => !keys.some(key => new RegExp(`^${purpose}-\\d+$`).test(key)),
    )
    expect(silent).toEqual([])
  })
})
