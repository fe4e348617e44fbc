import { fromBase64, HASH_BYTES, toBase64 } from './bytes.ts'

/** The head of a log: how many leaves, and the root over them. */
export interface Checkpoint {
  /** Names the log: its address without the scheme. */
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

/** A checkpoint as it is signed (C2SP's `tlog-checkpoint`). */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`

/** @throws RangeError where the text is no checkpoint, or has lines that nobody can check */
export function readCheckpoint(text: string): Checkpoint {
  const [origin = '', digits = '', encoded = '', ...rest] = text.split('\n')
  const size = Number(digits)
  if (origin === '' || !/^(0|[1-9]\d*)$/.test(digits) || !Number.isSafeInteger(size))
    throw new RangeError('not a checkpoint')
  const root = fromBase64(encoded)
  if (root.length !== HASH_BYTES || rest.length !== 1 || rest[0] !== '')
    throw new RangeError('not a checkpoint')
  return { origin, size, root }
}

/** The log of a site: its address without the scheme. @param siteUrl its origin, `https://gifts.example` */
export const originOf = (siteUrl: string): string => `${new URL(siteUrl).host}/ledger`
