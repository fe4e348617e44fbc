import { hash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { readInvoiceAccounts } from '#domain/invoice/accounts.ts'
import { readLimits } from '#domain/limits/limits.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { readWitnesses, type Witness } from '#domain/public-ledger/witness.ts'

/** How settings are written. Each message says what to write, and never what was written: it may be a secret. */

export const SHORTEST_SECRET = 32
/** Tries are counted, so that a token which a person can type is long enough. */
export const SHORTEST_TOKEN = 16
/** Letters that differ: random text of the shortest length has twice as many. */
const LEAST_LETTERS = 8

/** A text of which this is so. `write` completes "NAME …". */
const textThat = (isRight: (text: string) => boolean, write: string) =>
  z.string().refine(isRight, { error: write })

export const text = z.string()

/** One of a few words. */
export const word = (...words: readonly string[]) =>
  textThat(
    text => words.includes(text),
    `must be ${words.map(each => `"${each}"`).join(' or ')}, or left empty`,
  )

/** A setting that is a whole number from `least` to `most`; `write` says how to write it. */
export const wholeNumber = (least: number, most: number, write: string) =>
  textThat(text => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, write)

export const port = wholeNumber(0, 65_535, 'must be a number from 0 to 65535')

/** An address to listen at. */
export const listenAt = textThat(
  text => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text),
  'must be an address to listen at, such as 127.0.0.1 or 0.0.0.0',
)

/** An origin and nothing more. */
export const origin = textThat(text => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
}, 'must be an origin with its scheme and without a path, such as https://gifts.example')

/** An address on the web, with a path or without. */
export const webAddress = textThat(text => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
}, 'must be an address without a question mark, such as https://drand.example')

/** Bytes in hex. */
export const hexOf = (bytes: number) =>
  textThat(
    text => text.length === bytes * 2 && /^[0-9a-f]*$/.test(text),
    `must be ${bytes * 2} letters of 0-9 and a-f, as the network publishes it`,
  )

/** The public key of a pair that `age-keygen` made. Whether it is whole is seen where something is encrypted for it. */
export const ageRecipient = textThat(
  text => /^age1[02-9ac-hj-np-z]{58,4000}$/.test(text),
  'must be the public key that age-keygen says, age1…, and not the key that opens (AGE-SECRET-KEY-…)',
)

const urlWith = (schemes: readonly string[]) => (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && schemes.includes(url.protocol)
}

export const postgresUrl = textThat(
  urlWith(['postgres:', 'postgresql:']),
  'must start with postgres:// or postgresql://, as in postgres://user:password@host/name (in the password, write @ : / # as %40 %3A %2F %23)',
)

/** Where a CDN is told what to forget. */
export const purgeUrl = textThat(
  // In the place of the path it is no address yet where a port stands before it.
  text => urlWith(['http:', 'https:'])(text.replace('{path}', '/')),
  'must start with https:// or http://, with {path} in it where each page is asked for anew, as in http://127.0.0.1:8080{path}',
)

export const mailServerUrl = textThat(
  text => urlWith(['smtp:', 'smtps:'])(text) && new URL(text).hostname !== '',
  'must start with smtps:// or smtp://, as in smtps://user:password@mail.gifts.example (in user and password, write @ : / # as %40 %3A %2F %23)',
)

export const limits = textThat(
  text => readLimits(text) !== undefined,
  'must be limits, name=uses or name=uses/uses of all together, such as gateway=60/12000, separated by commas',
)

export const mailAddress = textThat(isMailAddress, 'must be one e-mail address, such as you@gifts.example')

export const sender = textThat(
  text => isMailAddress(/^[^<>]*<([^<>]+)>$/.exec(text)?.[1] ?? text),
  'must be an e-mail address, or a name and an address: Gifts <gifts@gifts.example>',
)

/** Secrets of our own making: long, and not made of a few letters or of one word again and again. */
export const secretOf = (shortest: number) =>
  textThat(text => text.length >= shortest, `is too short: at least ${shortest} random characters`)

/** Several of them. */
export const secretsOf = (shortest: number) =>
  textThat(
    text => listOf(text).every(each => each.length >= shortest),
    `must be earlier values of CARD_KEY_SECRET, the newest first, separated by commas, each of at least ${shortest} characters`,
  )

/** Several keys of the public ledger. */
export const ledgerKeysOf = (shortest: number) =>
  textThat(
    text => listOf(text).every(each => each.length >= shortest),
    `must be earlier values of LEDGER_KEY, the newest first, separated by commas, each of at least ${shortest} characters`,
  )

/** Could this have been drawn by lot? Not `aaaa…`, not `changeme-changeme-…`. */
export function isRandomEnough(secret: string): boolean {
  if (new Set(secret).size < LEAST_LETTERS) return false
  // A text that repeats itself is found in itself, doubled, before its end.
  return `${secret}${secret}`.indexOf(secret, 1) === secret.length
}

export const stripeKey = textThat(
  text => /^(sk|rk)_(live|test)_[A-Za-z0-9_]{8,}$/.test(text),
  "must be a secret key of the payment account: it starts with sk_live_ or rk_live_ (Stripe's dashboard, Developers → API keys)",
)

export const stripeWebhookSecret = textThat(
  text => /^whsec_[A-Za-z0-9+/=_-]{8,}$/.test(text),
  "must be the signing secret of the account's webhook: it starts with whsec_ (Stripe's dashboard, Developers → Webhooks)",
)

export const sanityProject = textThat(
  text => /^[a-z0-9][a-z0-9-]{1,39}$/.test(text),
  'must be the id of the content project, small letters and figures, such as ab12cd34 (sanity.io/manage)',
)

export const sanityDataset = textThat(
  text => /^~?[a-z0-9][a-z0-9_-]{0,63}$/.test(text),
  'must be the name of a dataset, such as production (sanity.io/manage, Datasets)',
)

export const token = textThat(
  text => !/\s/.test(text) && text.length >= 16,
  'must be an API token, one word without spaces',
)

export const webhookSecret = secretOf(8)

export const invoiceAccounts = textThat(
  text => readInvoiceAccounts(text) !== undefined,
  'must be accounts, each after its currency, separated by semicolons: EUR: IBAN ES91 2100 …; GBP: sort code …',
)

export const witnesses = textThat(text => {
  try {
    return witnessesIn(text).length > 0
  } catch {
    return false
  }
}, 'must be witnesses, separated by commas, each a key and an address: name+id+key https://witness.example/prefix, each once')

/** The witnesses that a setting names. @throws RangeError where it cannot be read */
export const witnessesIn = (list: string): readonly Witness[] =>
  readWitnesses(bytes => hash('sha256', bytes, 'buffer'), list)

/** Names that `proxy-addr` knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

export const proxies = textThat(
  text => listOf(text).every(isNetwork),
  'must be addresses or networks, separated by commas, such as 127.0.0.1 or 10.0.0.0/8',
)

function isNetwork(text: string): boolean {
  if (NETWORKS.includes(text)) return true
  const [address = '', length, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (length === undefined) return true
  if (!/^\d{1,3}$/.test(length)) return false
  try {
    new BlockList().addSubnet(address, Number(length), family === 4 ? 'ipv4' : 'ipv6')
    return true
  } catch {
    return false
  }
}

/** The parts of a list with commas. */
export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
