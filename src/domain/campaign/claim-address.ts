import { isMailAddress } from '../mail/address.ts'

/** What is wrong with an address that somebody typed (product.md#form-checks). */
export type AddressFault = 'required' | 'address'

export interface ClaimAddress {
  /** Where mails go: what was typed, without what surrounds it and in plain letters. */
  readonly address: string
  /** One spelling for every way to write a mailbox. Claimants are compared by it (product.md#free-cards). */
  readonly folded: string
}

/** The mailboxes of these answer to any dots and to any `+tag`. */
const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/** Longer than any address, with whatever surrounds it. */
const MOST_TYPED = 400
const PLAIN = /^[\x21-\x7e]+$/

/**
 * Reads the address that a free card is claimed with, or says what is wrong with it. Full-width and other
 * compatibility forms of a letter count as the letter; a look-alike from another alphabet before the @ is no
 * address that we could write to, and one behind it is another domain, written as the mail system knows it.
 * Line breaks, lists, names and quotes, with which a mail's header could be extended, are refused.
 */
export function readClaimAddress(typed: string): ClaimAddress | AddressFault {
  if (typed.length > MOST_TYPED) return 'address'
  const text = typed.trim().normalize('NFKC').trim()
  if (text === '') return 'required'
  if (!isMailAddress(text)) return 'address'
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = domainOf(text.slice(at + 1))
  if (!PLAIN.test(local) || domain === undefined) return 'address'
  const folded = foldLocal(local.toLowerCase(), domain)
  return folded === ''
    ? 'address'
    : { address: `${local}@${domain}`, folded: `${folded}@${canonical(domain)}` }
}

function foldLocal(local: string, domain: string): string {
  return GMAIL.has(domain) ? local.replace(/\+.*/, '').replaceAll('.', '') : local
}

const canonical = (domain: string): string => (GMAIL.has(domain) ? 'gmail.com' : domain)

/** The name in lower case and ASCII (`exämple.org` → `xn--exmple-cua.org`); undefined for numbers and nonsense. */
function domainOf(name: string): string | undefined {
  try {
    const { hostname } = new URL(`http://${name}`)
    return /\.[a-z][a-z0-9-]+$/.test(hostname) ? hostname : undefined
  } catch {
    return undefined
  }
}
