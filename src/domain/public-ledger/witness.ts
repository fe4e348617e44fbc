import { bytesOf, joined, type Sha256, toBase64 } from './bytes.ts'
import {
  COSIGNATURE,
  type NoteSignature,
  readSignatures,
  readVerifier,
  SIGNATURE_BYTES,
  signatureLine,
  signerOf,
  type Verifier,
  type VerifySignature,
  verifierText,
} from './note.ts'

/**
 * Witnesses: others who keep the newest head that they were shown, sign none that is no continuation of it, and say when
 * they saw it (C2SP's `tlog-witness` and `tlog-cosignature`, with Ed25519 keys alone).
 */
const TIME_BYTES = 8

/** That a witness has seen a head. */
export interface Cosignature {
  /** The witness's name. */
  readonly witness: string
  /** When it signed, seconds since 1970 UTC: its own clock. */
  readonly seconds: number
  /** As it stands under the head, with its line feed. */
  readonly line: string
}

/** A witness's key as people write it: `name+id+key`. */
export const witnessText = (sha256: Sha256, witness: Verifier): string =>
  verifierText(sha256, witness, COSIGNATURE)

/** @throws RangeError where the text is no witness's key */
export const readWitness = (sha256: Sha256, text: string): Verifier => readVerifier(sha256, text, COSIGNATURE)

/** What a witness signs. @param text the checkpoint without signatures @param seconds since 1970 UTC */
export const cosignedText = (text: string, seconds: number): string =>
  `cosignature/v1\ntime ${seconds}\n${text}`

/** The line that a witness adds to a head. @param signature over `cosignedText`, 64 bytes */
export function cosignatureLine(
  sha256: Sha256,
  witness: Verifier,
  seconds: number,
  signature: Uint8Array,
): string {
  const time = new Uint8Array(TIME_BYTES)
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds))
  return signatureLine(sha256, witness, joined(time, signature), COSIGNATURE)
}

/**
 * Which known witnesses have signed a head, in the order of its lines. Lines of others are passed over.
 * @param text the checkpoint without signatures
 * @throws RangeError where a known witness's line does not fit
 */
export async function cosignaturesIn(
  { text, signatures }: { readonly text: string; readonly signatures: readonly NoteSignature[] },
  witnesses: readonly Verifier[],
  { sha256, verify }: { readonly sha256: Sha256; readonly verify: VerifySignature },
): Promise<readonly Cosignature[]> {
  const found: Cosignature[] = []
  for (const { signature: bytes, ...each } of signatures) {
    const witness = signerOf(sha256, { signature: bytes, ...each }, witnesses, COSIGNATURE)
    if (witness === undefined) continue
    const seconds = bytes.length === TIME_BYTES + SIGNATURE_BYTES ? timeIn(bytes) : undefined
    const isRight =
      seconds !== undefined &&
      (await verify(witness.publicKey, bytesOf(cosignedText(text, seconds)), bytes.slice(TIME_BYTES)))
    if (!isRight) throw new RangeError(`the signature of the witness ${witness.name} does not fit`)
    found.push({ witness: witness.name, seconds, line: each.line })
  }
  return found
}

/** @returns undefined for a time that no witness may sign: none, or beyond what a number holds */
function timeIn(bytes: Uint8Array): number | undefined {
  const seconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : undefined
}

/**
 * What a witness is asked with (`add-checkpoint`).
 * @param older the size of the newest head that it has signed
 * @param proof that the head grew out of that one
 * @param note the head, with the log's own signature
 */
export const witnessRequest = (older: number, proof: readonly Uint8Array[], note: string): string =>
  [`old ${older}`, ...proof.map(toBase64), '', note].join('\n')

/** What a witness answers that has signed: its lines. @throws RangeError where they are none */
export function readWitnessAnswer(answer: string): readonly NoteSignature[] {
  if (!answer.endsWith('\n')) throw new RangeError('the answer is malformed')
  return readSignatures(answer)
}

/** The size of the newest head that a witness has signed, where it was another one; undefined where it says none. */
export function readWitnessSize(answer: string): number | undefined {
  const size = /^(0|[1-9]\d*)\n$/.test(answer) ? Number(answer) : Number.NaN
  return Number.isSafeInteger(size) ? size : undefined
}

/** A witness that is asked for its signature. */
export interface Witness {
  readonly verifier: Verifier
  /** Its key as people write it. */
  readonly text: string
  /** Where it is asked, without a slash at its end: its submission prefix. */
  readonly address: string
}

/** A checkpoint has room for so many signatures, the log's own and its successor's among them. */
export const MOST_WITNESSES = 12

/**
 * Reads a list of witnesses, separated by commas, each a key and an address: `name+id+key https://witness.example/log`.
 * @throws RangeError where one of them is none, or stands there twice
 */
export function readWitnesses(sha256: Sha256, list: string): readonly Witness[] {
  const witnesses = list
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
    .map(each => {
      const [text = '', address = '', ...more] = each.split(/\s+/)
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol) || more.length > 0)
        throw new RangeError('not a witness')
      return { verifier: readWitness(sha256, text), text, address: address.replace(/(?<!\/)\/+$/, '') }
    })
  const texts = new Set(witnesses.map(({ text }) => text))
  if (texts.size < witnesses.length || texts.size > MOST_WITNESSES)
    throw new RangeError('not a list of witnesses')
  return witnesses
}
