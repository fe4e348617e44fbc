import { describe, expect, it } from 'vitest'
import { isWrittenDown } from '#server/ops/audit.ts'
import { COMMANDS } from '#server/ops/commands.ts'

/** They read, or write files of the machine beside a database that may not be there yet. */
const READ_ONLY = [
  'due',
  'report',
  'books',
  'vat',
  'receipts',
  'check',
  'ledger verify',
  'ledger export',
  'doctor',
  'go-live',
  'find',
  'cards',
  'card',
  'wishes list',
  'account list',
  'payout owed',
  'payout list',
  'payout receipts',
  'provider position',
  'provider payouts',
  'provider payout',
  'provider fees',
  'campaigns',
  'jobs',
  'people list',
  'invoice list',
  'partner list',
  'audit',
]
/** They write their lines themselves: one for each mail. */
const BY_ITSELF = ['dealt-with']

const all = COMMANDS.flatMap(({ name, actions = [undefined] }) => actions.map(action => ({ name, action })))

describe('a command of the operator', () => {
  it('either only reads or is written into the audit log', () => {
    const unwritten = all
      .filter(({ name, action }) => !isWrittenDown(name, action))
      .map(({ name, action }) => (action === undefined ? name : `${name} ${action}`))
    expect(unwritten.sort()).toEqual([...READ_ONLY, ...BY_ITSELF].sort())
  })
})
