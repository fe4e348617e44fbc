import { fromBase64, HASH_BYTES } from './bytes.ts'

/**
 * What the operator says of the ledger itself, in lines of cause `note`: that from here on another key signs. The old key
 * signs it (`succession.ts`).
 */
export type KeyStatement =
  | readonly ['key', from: string, next: string, signature: string]
  /** The log goes on under another name, since what stood after this line is lost: the newest head of before. */
  | readonly [
      'key',
      from: string,
      next: string,
      signature: string,
      size: number,
      root: string,
      why: (typeof WHYS)[number],
    ]

/** An older backup was brought back. */
const WHYS = ['restored'] as const

/**
 * In lines of cause `received`: an organisation has confirmed the payouts of an earlier line, or such a line is taken back,
 * with the amount below 0.
 */
export type ReceivedStatement = readonly [
  /** The number of the payouts' line, from 1. */
  line: number,
  ngoId: string,
  /** `YYYY`: of the payouts' line. */
  year: string,
  /** Minor units. */
  amount: number,
  /** SHA-256 of each receipt that it attached, hex, sorted. */
  receipts: readonly string[],
]

const SIGNATURE_BYTES = 64

/** Has this the form of a statement about the key? */
export function isKeyStatement(value: unknown): value is KeyStatement {
  if (!Array.isArray(value)) return false
  const [word, from, next, signature, ...why] = value as unknown[]
  const isRight =
    word === 'key' &&
    typeof from === 'string' &&
    typeof next === 'string' &&
    from !== next &&
    isBase64Of(SIGNATURE_BYTES, signature)
  if (!isRight || why.length === 0) return isRight
  const [size, root, reason, ...more] = why
  return (
    Number.isSafeInteger(size) &&
    (size as number) > 0 &&
    isBase64Of(HASH_BYTES, root) &&
    (WHYS as readonly unknown[]).includes(reason) &&
    more.length === 0
  )
}

/** Has this the form of a statement about what arrived? */
export function isReceivedStatement(value: unknown): value is ReceivedStatement {
  if (!Array.isArray(value) || value.length !== 5) return false
  const [line, ngoId, year, amount, receipts] = value as unknown[]
  return (
    Number.isSafeInteger(line) &&
    (line as number) > 0 &&
    typeof ngoId === 'string' &&
    ngoId !== '' &&
    typeof year === 'string' &&
    /^\d{4}$/.test(year) &&
    Number.isSafeInteger(amount) &&
    amount !== 0 &&
    Array.isArray(receipts) &&
    (receipts as unknown[]).every(
      (each, n) =>
        typeof each === 'string' &&
        /^[0-9a-f]{64}$/.test(each) &&
        (n === 0 || each > (receipts[n - 1] as string)),
    )
  )
}

function isBase64Of(bytes: number, value: unknown): boolean {
  try {
    return typeof value === 'string' && fromBase64(value).length === bytes
  } catch {
    return false
  }
}
