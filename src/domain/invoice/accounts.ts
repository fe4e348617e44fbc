import { type Currency, isCurrency } from '../money/currency.ts'

/** Where invoices are paid to, by currency: what the operator wants printed, in words of the bank. Not every one has to be there. */
export type InvoiceAccounts = Readonly<Partial<Record<Currency, string>>>

/** The longest text of one account, in characters. */
const LONGEST = 160

/**
 * Reads a list of accounts: `EUR: IBAN ES91 2100 …, BIC CAIXESBB; GBP: sort code 20-00-00, account 55779911`.
 * @returns undefined for what is no such list
 */
export function readInvoiceAccounts(text: string): InvoiceAccounts | undefined {
  const accounts: Partial<Record<Currency, string>> = {}
  for (const part of text.split(';').filter(each => each.trim() !== '')) {
    const [, currency, account = ''] = /^\s*([A-Z]{3}):\s*(.*?)\s*$/s.exec(part) ?? []
    if (!isCurrency(currency) || accounts[currency] !== undefined) return undefined
    if (account === '' || account.length > LONGEST || account.includes('\n')) return undefined
    accounts[currency] = account
  }
  return accounts
}
