import { DAY_MS } from '../durations.ts'

/** For so long the link in the mail about a payout says that it has arrived. */
export const ADVICE_DAYS = 90

/** The largest receipt that an organisation can attach. */
export const MOST_RECEIPT_BYTES = 5 * 1024 * 1024

/** What a form has beside the file: its borders and the names of its fields. */
export const MOST_BESIDE_RECEIPT = 64 * 1024

/** The first bytes by which each kind of receipt is known, whatever its name says. The database's CHECK lists the same. */
export const RECEIPT_KINDS = {
  pdf: [0x25, 0x50, 0x44, 0x46, 0x2d],
  png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  jpg: [0xff, 0xd8, 0xff],
} as const satisfies Record<string, readonly number[]>

export type ReceiptKind = keyof typeof RECEIPT_KINDS

const KINDS = Object.keys(RECEIPT_KINDS) as readonly ReceiptKind[]

/** Why a file is not taken. */
export type ReceiptFault = 'large' | 'kind'

/** Reads what a file is by its first bytes; a fault where it is too large, or nothing that is taken. */
export function receiptKindOf(bytes: Uint8Array): ReceiptKind | ReceiptFault {
  if (bytes.length > MOST_RECEIPT_BYTES) return 'large'
  const begins = (kind: ReceiptKind) => RECEIPT_KINDS[kind].every((byte, at) => bytes[at] === byte)
  return KINDS.find(begins) ?? 'kind'
}

/** Was the file of a receipt refused? Narrows the answer of `receiptKindOf`. */
export function isReceiptFault(read: ReceiptKind | ReceiptFault): read is ReceiptFault {
  return read === 'large' || read === 'kind'
}

/** Times are epoch ms UTC. */
interface AdviceTimes {
  readonly createdAt: number
  readonly withdrawnAt: number | null
  readonly receivedAt: number | null
}

/** What the link of a mail about a payout opens: nothing, the form, or what was confirmed with it. */
export function adviceAnswer(
  { createdAt, withdrawnAt, receivedAt }: AdviceTimes,
  now: number,
): 'dead' | 'open' | 'received' {
  if (withdrawnAt !== null) return 'dead'
  if (receivedAt !== null) return 'received'
  return now < createdAt + ADVICE_DAYS * DAY_MS ? 'open' : 'dead'
}
