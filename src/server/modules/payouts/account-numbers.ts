import { electronicFormatIBAN, getCountrySpecifications, isValidBIC, isValidIBAN } from 'ibantools'

/** An account as somebody typed it. */
export interface TypedAccount {
  readonly iban?: string | undefined
  /** ISO 3166: `US`. */
  readonly country?: string | undefined
  readonly number?: string | undefined
  /** The bank's own code: a US routing number, a British sort code, a Canadian institution and transit number. */
  readonly routing?: string | undefined
  readonly bic?: string | undefined
}

/** One bank account: by its IBAN, or by what its country has in the place of one. */
export interface AccountNumber {
  readonly country: string
  readonly iban: string | null
  readonly number: string | null
  readonly routing: string | null
  readonly bic: string | null
}

/**
 * Reads an account, with its check digits where it has any.
 * @returns what is wrong with it, as a sentence
 */
export function readAccountNumber(typed: TypedAccount): AccountNumber | string {
  const bic = compact(typed.bic)
  if (bic !== null && !isValidBIC(bic)) return `"${typed.bic}" is not a BIC.`
  const number = compact(typed.number)
  if (typed.iban !== undefined) {
    if (number !== null || typed.routing !== undefined)
      return 'An IBAN holds the number and the bank already.'
    const iban = electronicFormatIBAN(typed.iban) ?? ''
    if (!isValidIBAN(iban))
      return 'That is not an IBAN: its country, its length or its check digits are wrong.'
    const country = iban.slice(0, 2)
    if (typed.country !== undefined && compact(typed.country) !== country)
      return `The IBAN is of ${country}, not of ${typed.country}.`
    return { country, iban, number: null, routing: null, bic }
  }
  const country = compact(typed.country) ?? ''
  if (!Object.hasOwn(getCountrySpecifications(), country))
    return 'Say the account by --iban, or by --country (two letters: US), --number and --routing or --bic.'
  if (number === null || !/^[A-Z0-9]{3,34}$/.test(number))
    return 'The number of an account has 3 to 34 letters and digits.'
  const routing = compact(typed.routing)
  if (routing === null && bic === null) return 'Without an IBAN the bank is needed: --routing or --bic.'
  const fault = routing === null ? undefined : routingFault(country, routing)
  return fault ?? { country, iban: null, number, routing, bic }
}

const compact = (text: string | undefined): string | null => text?.replace(/[\s-]/g, '').toUpperCase() || null

/** How long the code of a bank is, where it is known. */
const ROUTING_DIGITS: Readonly<Record<string, readonly number[]>> = { US: [9], GB: [6], CA: [8, 9] }

function routingFault(country: string, routing: string): string | undefined {
  const lengths = ROUTING_DIGITS[country]
  if (lengths === undefined)
    return /^[A-Z0-9]{3,20}$/.test(routing) ? undefined : 'The code of a bank has 3 to 20 letters and digits.'
  if (!/^\d+$/.test(routing) || !lengths.includes(routing.length))
    return `The code of a bank has ${lengths.join(' or ')} digits in ${country}.`
  if (country === 'US' && !isRoutingNumber(routing)) return 'The check digit of the routing number is wrong.'
  return undefined
}

/** The sum of its nine digits by 3, 7, 1, 3, 7, 1 … is a multiple of ten. */
function isRoutingNumber(digits: string): boolean {
  const weights = [3, 7, 1]
  const sum = [...digits].reduce((total, digit, n) => total + Number(digit) * weights[n % 3]!, 0)
  return sum % 10 === 0 && sum > 0
}
