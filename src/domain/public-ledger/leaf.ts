import { isDay } from '../days.ts'
import { CURRENCIES, type Currency } from '../money/currency.ts'
import { bytesOf, type Sha256, toHex } from './bytes.ts'
import {
  type Announcement,
  announcementParts,
  type Draw,
  drawParts,
  readAnnouncement,
  readDraw,
} from './draw.ts'
import {
  isKeyStatement,
  isReceivedStatement,
  type KeyStatement,
  type ReceivedStatement,
} from './statements.ts'

/** What a line of the public ledger is about. */
export const CAUSES = [
  /** Somebody bought a gift. */
  'sale',
  /** A campaign paid for a free card. */
  'claim',
  /** Recipients divided their credit: always several cards in one leaf. */
  'given',
  /** Unused cards are due, and are drawn for by a value that does not exist yet. It moves nothing. */
  'announced',
  /** An unused card was given away. */
  'auto',
  /** Money was taken out for an organisation, or such a payout was taken back. */
  'payout',
  /** The bank has paid it. */
  'paid',
  /** The organisation says that it arrived. */
  'received',
  /** What the payment provider kept, converted, or moved for none of our orders. */
  'fee',
  'refund',
  /** A lost dispute, or more given back than was left. */
  'loss',
  /** What the provider paid out to the bank. */
  'bank',
  /** What buyers paid to the bank by invoice, or got back from there. */
  'transfer',
  /** The operator says something about the ledger itself. */
  'note',
] as const

export type Cause = (typeof CAUSES)[number]

/** What an account gets, in minor units; less than 0 where it pays. */
export type Amounts = readonly (readonly [account: string, amount: number])[]

/** One line of the public ledger. */
export interface Leaf {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly cause: Cause
  readonly currency: Currency
  /** By account, zeros left out; they sum to 0. */
  readonly amounts: Amounts
  /**
   * What ties the leaf to what it is of, for whoever knows the nonce: the blind of a single event, or of several the
   * commitments, sorted.
   */
  readonly proof: string | readonly string[]
  /** Of cause `auto` alone. */
  readonly draw?: Draw
  /** Of cause `announced` alone. */
  readonly announcement?: Announcement
  /** Of cause `note` alone, which has always one. */
  readonly key?: KeyStatement
  /** Of cause `received` alone, which has always one. */
  readonly received?: ReceivedStatement
}

/** Begins the account of an organisation: `ngo:{id}`. */
export const NGO_ACCOUNT = 'ngo:'

/** The events that a leaf is about: one, or so many as it sums. */
export const eventsOf = ({ proof }: Pick<Leaf, 'proof'>): number =>
  typeof proof === 'string' ? 1 : proof.length

const VERSION = 1
const ACCOUNT = /^(?:[a-z]+(?:-[a-z]+)*|ngo:.+)$/
const BLIND_BYTES = 20
const BLIND = /^[0-9a-f]{40}$/
const COMMITMENT = /^[0-9a-f]{64}$/

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The sums by account in the one order in which they are written, zeros left out. */
export function summed(...all: readonly Amounts[]): Amounts {
  const sums = new Map<string, number>()
  for (const [account, amount] of all.flat()) sums.set(account, (sums.get(account) ?? 0) + amount)
  return [...sums].filter(([, amount]) => amount !== 0).sort(([one], [other]) => byCodeUnits(one, other))
}

/** The one way in which a leaf is written: JSON without spaces, accounts and commitments sorted. */
export function leafText(leaf: Leaf): string {
  const { day, cause, currency, amounts, proof, draw, announcement, key, received } = leaf
  const last =
    (draw && drawParts(draw)) ?? (announcement && announcementParts(announcement)) ?? key ?? received
  return JSON.stringify([VERSION, day, cause, currency, amounts, proof, ...(last ? [last] : [])])
}

/** @throws RangeError that says what is wrong: another spelling, an unknown word, amounts that do not sum to zero */
export function readLeaf(text: string): Leaf {
  const wrong = (what: string) => new RangeError(`a leaf ${what}`)
  let parts: unknown
  try {
    parts = JSON.parse(text)
  } catch {
    throw wrong('is no JSON')
  }
  if (!Array.isArray(parts) || parts.length < 6 || parts.length > 7) throw wrong('has other parts')
  const [version, day, cause, currency, amounts, proof, more] = parts as unknown[]
  if (version !== VERSION) throw wrong('is of an unknown version')
  if (typeof day !== 'string' || !isDay(day)) throw wrong('has no day')
  if (!isOneOf(CAUSES, cause)) throw wrong('has an unknown cause')
  if (!isOneOf(CURRENCIES, currency)) throw wrong('has an unknown currency')
  if (!isAmounts(amounts)) throw wrong('has amounts that are none')
  if (!isProof(proof)) throw wrong('has no blind')
  // A single recipient's choice never stands alone.
  if (cause === 'given' && typeof proof === 'string') throw wrong('shows the use of a single card')
  const draw = cause === 'auto' ? readDraw(more) : undefined
  const announcement = cause === 'announced' ? readAnnouncement(more) : undefined
  const key = cause === 'note' && isKeyStatement(more) ? more : undefined
  const received = cause === 'received' && isReceivedStatement(more) ? more : undefined
  if (more !== undefined && !draw && !announcement && !key && !received)
    throw wrong('has a draw that is none')
  if (cause === 'announced' && !(announcement && amounts.length === 0 && typeof proof === 'string'))
    throw wrong('announces nothing')
  if ((cause === 'note' && !key) || (cause === 'received' && !received)) throw wrong('says nothing')
  // What is said of the ledger moves no money, and is of one event.
  if ((key || received) && (amounts.length > 0 || typeof proof !== 'string'))
    throw wrong('moves money without saying for what')
  const leaf: Leaf = {
    day,
    cause,
    currency,
    amounts,
    proof,
    ...(draw && { draw }),
    ...(announcement && { announcement }),
    ...(key && { key }),
    ...(received && { received }),
  }
  if (leafText(leaf) !== text) throw wrong('is spelt another way')
  return leaf
}

const isOneOf = <Word extends string>(words: readonly Word[], value: unknown): value is Word =>
  (words as readonly unknown[]).includes(value)

function isAmounts(value: unknown): value is Amounts {
  if (!Array.isArray(value)) return false
  let before = ''
  let sum = 0
  for (const each of value as unknown[]) {
    if (!Array.isArray(each) || each.length !== 2) return false
    const [account, amount] = each as unknown[]
    if (typeof account !== 'string' || !ACCOUNT.test(account) || account <= before) return false
    if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount === 0) return false
    before = account
    sum += amount
  }
  return sum === 0
}

function isProof(value: unknown): value is Leaf['proof'] {
  if (typeof value === 'string') return BLIND.test(value)
  if (!Array.isArray(value) || value.length === 0) return false
  return (value as unknown[]).every(
    (each, n) =>
      typeof each === 'string' && COMMITMENT.test(each) && (n === 0 || each > (value[n - 1] as string)),
  )
}

/** What a leaf about a single event shows of its nonce. @param nonce hex */
export const blindOf = (sha256: Sha256, nonce: string, cause: Cause): string =>
  toHex(sha256(bytesOf(nonce + cause)).slice(0, BLIND_BYTES))

/**
 * What a leaf about several events shows of one of them: nobody without the nonce can guess the amounts from it, and
 * whoever made it can show no other amounts for it.
 * @param nonce hex
 */
export const commitmentOf = (sha256: Sha256, nonce: string, cause: Cause, amounts: Amounts): string =>
  toHex(sha256(bytesOf(nonce + cause + JSON.stringify(amounts))))
