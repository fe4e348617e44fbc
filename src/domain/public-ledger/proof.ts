import { fromBase64, toBase64 } from './bytes.ts'

/**
 * What shows in one file that a line stands in the signed log: the line itself, and below it the proof as C2SP's `tlog-proof`
 * has it, with the head at its end. Whoever serves it need not be trusted: the root is computed from it again.
 */
export interface LineProof {
  /** The line as it stands in the log. */
  readonly entry: string
  /** From 0. */
  readonly index: number
  readonly hashes: readonly Uint8Array[]
  /** The signed head. */
  readonly note: string
}

/** What shows that the log of today begins with that of an earlier day. */
export interface GrowthProof {
  /** Lines of then. */
  readonly older: number
  /** Over the lines of then. */
  readonly root: Uint8Array
  readonly hashes: readonly Uint8Array[]
  /** The signed head of today. */
  readonly note: string
}

/** Where the proof of a line is asked for, below the log's address. @param index from 0 */
export const proofPath = (index: number): string => `proof/${index}`

/** Where it is asked for how the log grew. @param older lines of then */
export const growthPath = (older: number): string => `growth/${older}`

/** The paths that `proofPath` and `growthPath` can write. */
export const PROVED_PATH = /^(proof|growth)\/(0|[1-9]\d{0,14})$/

const FORMAT = 'c2sp.org/tlog-proof@v1'
const MOST_HASHES = 64

/** The file of a proof, as `readProof` reads it. */
export const proofText = ({ entry, index, hashes, note }: LineProof): string =>
  [entry, FORMAT, `index ${index}`, ...hashes.map(toBase64), '', note].join('\n')

/** @throws RangeError where the text is no proof */
export function readProof(text: string): LineProof {
  const { lines, hashes, note } = partsOf(text)
  const [entry = '', format, place = '', ...more] = lines
  const index = numberIn(place, 'index')
  if (format !== FORMAT || index === undefined || more.length > 0) throw new RangeError('is no proof')
  return { entry, index, hashes, note }
}

/** The file that shows how the log grew, as `readGrowth` reads it. */
export const growthText = ({ older, root, hashes, note }: GrowthProof): string =>
  [`old ${older}`, `root ${toBase64(root)}`, ...hashes.map(toBase64), '', note].join('\n')

/** @throws RangeError where the text is no proof */
export function readGrowth(text: string): GrowthProof {
  const { lines, hashes, note } = partsOf(text)
  const [size = '', root = '', ...more] = lines
  const older = numberIn(size, 'old')
  if (older === undefined || !root.startsWith('root ') || more.length > 0) throw new RangeError('is no proof')
  return { older, root: fromBase64(root.slice('root '.length)), hashes, note }
}

const HASH = /^[A-Za-z0-9+/]{43}=$/

/** Lines, hashes, and behind an empty line the head. */
function partsOf(text: string) {
  const end = text.indexOf('\n\n')
  const all = text.slice(0, end).split('\n')
  const first = all.findIndex(line => HASH.test(line))
  const [lines, hashes] = first === -1 ? [all, []] : [all.slice(0, first), all.slice(first)]
  if (end === -1 || hashes.length > MOST_HASHES) throw new RangeError('is no proof')
  return { lines, hashes: hashes.map(fromBase64), note: text.slice(end + 2) }
}

function numberIn(line: string, name: string): number | undefined {
  const digits = line.startsWith(`${name} `) ? line.slice(name.length + 1) : ''
  return /^(0|[1-9]\d{0,14})$/.test(digits) ? Number(digits) : undefined
}
