import { expect, it } from 'vitest'
import {
  faultsIn,
  readStatement,
  STATEMENT_LENGTHS,
  type StatementField,
} from '#domain/withdrawal/statement.ts'

const read = (sent: Partial<Record<StatementField, string>>) => readStatement(field => sent[field])
const GOOD = { name: 'Aina Puig', email: 'aina@example.org', order: '' }

it('reads each field as one clean line, and what is missing as nothing', () => {
  expect(read({})).toEqual({ name: '', email: '', order: '' })
  expect(
    read({ name: '  Aina\r\n\u202ePuig ', email: ' aina@example.org\n', order: '01K9\u200bZY ' }),
  ).toEqual({ name: 'Aina Puig', email: 'aina@example.org', order: '01K9ZY' })
})

it('keeps no more of a field than it has room for', () => {
  for (const field of ['name', 'email', 'order'] as const)
    expect([...read({ [field]: '😀'.repeat(5_000) })[field]]).toHaveLength(STATEMENT_LENGTHS[field])
})

it('asks for a name and for one address, and for no order', () => {
  expect(faultsIn(GOOD)).toEqual([])
  expect(faultsIn({ ...GOOD, order: 'anything' })).toEqual([])
  expect(faultsIn({ ...GOOD, name: '' })).toEqual(['name'])
  for (const email of ['', 'aina', 'a@example.org, b@example.org', 'a@example'])
    expect(faultsIn({ ...GOOD, email }), email).toEqual(['email'])
  expect(faultsIn(read({}))).toEqual(['name', 'email'])
})
