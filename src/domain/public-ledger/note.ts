import { bytesOf, fromBase64, isSame, joined, type Sha256, toBase64, toHex } from './bytes.ts'

/** Signed notes (C2SP's `signed-note`), with Ed25519 keys alone. */
const ED25519 = 1
/** Of a witness: with the time, as C2SP's `tlog-cosignature` has it. */
export const COSIGNATURE = 4
const PUBLIC_KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
const ID_BYTES = 4
/** A note has at least one signature; more than this nobody reads. */
const MOST_SIGNATURES = 16
const DASH = '— '

/** Somebody whose signature counts. */
export interface Verifier {
  readonly name: string
  /** 32 bytes. */
  readonly publicKey: Uint8Array
}

/** Does this key's signature fit the message? Node and browsers each bring their own. */
export type VerifySignature = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>

/** A key's name holds no space and no plus, and is not empty. */
export const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}]+$/u.test(name)

/** What a key signs, as a byte: a note itself, or that a witness has seen a head. The same key has another id for each. */
export type SignatureType = typeof ED25519 | typeof COSIGNATURE

/** What tells a key from others of the same name: 4 bytes. */
export const keyId = (
  sha256: Sha256,
  { name, publicKey }: Verifier,
  type: SignatureType = ED25519,
): Uint8Array => sha256(joined(bytesOf(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, ID_BYTES)

/** The key as people write it: `name+id+key`. */
export const verifierText = (sha256: Sha256, verifier: Verifier, type: SignatureType = ED25519): string =>
  [
    verifier.name,
    toHex(keyId(sha256, verifier, type)),
    toBase64(joined(Uint8Array.of(type), verifier.publicKey)),
  ].join('+')

/** @throws RangeError where the text is no verifier's key */
export function readVerifier(sha256: Sha256, text: string, type: SignatureType = ED25519): Verifier {
  const [name = '', id = '', ...rest] = text.split('+')
  const key = fromBase64(rest.join('+'))
  const verifier = { name, publicKey: key.slice(1) }
  const isOne =
    isKeyName(name) &&
    key[0] === type &&
    key.length === 1 + PUBLIC_KEY_BYTES &&
    verifierText(sha256, verifier, type) === text
  if (!isOne || id === '') throw new RangeError('not the key of a verifier')
  return verifier
}

/** The line that a signature adds to a note. */
export const signatureLine = (
  sha256: Sha256,
  signer: Verifier,
  signature: Uint8Array,
  type: SignatureType = ED25519,
): string => `${DASH}${signer.name} ${toBase64(joined(keyId(sha256, signer, type), signature))}\n`

/** A text with its signatures. @param text ends with a line feed */
export const noteOf = (text: string, ...signatures: readonly string[]): string =>
  `${text}\n${signatures.join('')}`

/** A line under a note, by whomever. */
export interface NoteSignature {
  readonly name: string
  /** 4 bytes. */
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
  /** As it stands there, with its line feed. */
  readonly line: string
}

/** The parts of a note, of which nothing is verified yet. @throws RangeError where it is malformed */
export function readNote(note: string): {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
} {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format forbids them
  if (/[\0-\x09\x0b-\x1f]/.test(note) || !note.endsWith('\n')) throw new RangeError('the note is malformed')
  const end = note.lastIndexOf('\n\n')
  if (end === -1) throw new RangeError('the note has no signature')
  return { text: note.slice(0, end + 1), signatures: readSignatures(note.slice(end + 2)) }
}

/** Lines of signatures alone, each with its line feed. @throws RangeError */
export function readSignatures(lines: string): readonly NoteSignature[] {
  const all = lines.replace(/\n$/, '').split('\n')
  if (all.length > MOST_SIGNATURES) throw new RangeError('the note has too many signatures')
  return all.map(line => {
    const [dash, name = '', encoded = '', ...more] = line.split(' ')
    const bytes = fromBase64(encoded)
    if (`${dash} ` !== DASH || !isKeyName(name) || more.length > 0 || bytes.length <= ID_BYTES)
      throw new RangeError('a signature is malformed')
    return {
      name,
      keyId: bytes.slice(0, ID_BYTES),
      signature: bytes.slice(ID_BYTES),
      line: `${line}\n`,
    }
  })
}

/** Whose signature this is said to be, of those who are known. */
export const signerOf = <Known extends Verifier>(
  sha256: Sha256,
  { name, keyId: id }: NoteSignature,
  known: readonly Known[],
  type: SignatureType = ED25519,
): Known | undefined => known.find(each => each.name === name && isSame(keyId(sha256, each, type), id))

/**
 * The text of a note that a known key has signed. Signatures of keys that are not known are passed over.
 * @throws RangeError where the note is malformed, a known key's signature does not fit, or none is of a known key
 */
export async function openNote(
  note: string,
  verifiers: readonly Verifier[],
  { sha256, verify }: { readonly sha256: Sha256; readonly verify: VerifySignature },
): Promise<string> {
  const { text, signatures } = readNote(note)
  let signed = 0
  for (const each of signatures) {
    const signer = signerOf(sha256, each, verifiers)
    if (!signer) continue
    const { signature } = each
    if (signature.length !== SIGNATURE_BYTES || !(await verify(signer.publicKey, bytesOf(text), signature)))
      throw new RangeError('a signature does not fit')
    signed++
  }
  if (signed === 0) throw new RangeError('no signature is of a known key')
  return text
}
