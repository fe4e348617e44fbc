import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROBLEMS } from '#domain/problems.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'

it('the product’s document names every code of a problem, in the row of its status', () => {
  const rows = readFileSync('docs/product.md', 'utf8').split('\n')
  const missing = Object.entries(PROBLEMS).filter(
    ([code, status]) => !rows.some(row => row.includes(`\`${code}\``) && row.endsWith(`| ${status} |`)),
  )
  expect(missing).toEqual([])
})

it('whoever writes another verifier finds every cause of a line in the ledger’s document', () => {
  const text = readFileSync('docs/public-ledger.md', 'utf8')
  expect(CAUSES.filter(cause => !text.includes(`\`${cause}\``))).toEqual([])
})
