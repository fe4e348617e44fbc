import { expect, it } from 'vitest'
import { readInvoiceAccounts } from '#domain/invoice/accounts.ts'
import { readAmount } from '#domain/money/read-amount.ts'

it.each([
  ['', {}],
  ['EUR: IBAN ES91 2100', { EUR: 'IBAN ES91 2100' }],
  [
    ' EUR: IBAN ES91 2100, BIC CAIXESBB ; GBP: 20-00-00 55779911;',
    { EUR: 'IBAN ES91 2100, BIC CAIXESBB', GBP: '20-00-00 55779911' },
  ],
])('reads the accounts in "%s"', (text, accounts) => {
  expect(readInvoiceAccounts(text)).toEqual(accounts)
})

it.each(['IBAN ES91', 'EUR:', 'XXX: 1', 'EUR: 1; EUR: 2', `EUR: ${'1'.repeat(161)}`, 'EUR: 1\n2'])(
  'takes "%s" for no list of accounts',
  text => {
    expect(readInvoiceAccounts(text)).toBeUndefined()
  },
)

it.each([
  ['65', 6_500],
  ['65.5', 6_550],
  [' 65,50 ', 6_550],
  ['65.505', undefined],
  ['-65', undefined],
  ['', undefined],
])('reads the amount "%s" as %s minor units', (typed, minor) => {
  expect(readAmount(typed)).toBe(minor)
})
