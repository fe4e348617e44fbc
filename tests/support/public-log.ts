import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { bytesOf, joined, type Sha256, toHex } from '#domain/public-ledger/bytes.ts'
import { checkpointText } from '#domain/public-ledger/checkpoint.ts'
import {
  noteOf,
  signatureLine,
  type Verifier,
  type VerifySignature,
  verifierText,
} from '#domain/public-ledger/note.ts'
import { PROVED_PATH } from '#domain/public-ledger/proof.ts'
import { proveGrowth, proveLine } from '#domain/public-ledger/prove.ts'
import type { KeyStatement } from '#domain/public-ledger/statements.ts'
import { successionText } from '#domain/public-ledger/succession.ts'
import { bundleOf, CHECKPOINT_PATH, levelAbove, tilePath, tilesOf } from '#domain/public-ledger/tiles.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'

export const sha256: Sha256 = bytes => createHash('sha256').update(bytes).digest()

export const verifySignature: VerifySignature = (publicKey, message, signature) =>
  verify(
    null,
    message,
    createPublicKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    }),
    signature,
  )

export interface TestSigner extends Verifier {
  readonly privateKey: KeyObject
}

/** A key of Ed25519 for tests, the same for the same number. */
export function testSigner(name: string, number = 7): TestSigner {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({
    key: Buffer.concat([head, Buffer.alloc(32, number)]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x!, 'base64url')
  return { name, publicKey, privateKey }
}

export const signedNote = (signer: TestSigner, text: string): string =>
  noteOf(text, signatureLine(sha256, signer, sign(null, bytesOf(text), signer.privateKey)))

/** The line at the end of these entries by which one key names the next one. */
export function keyLine(
  entries: readonly string[],
  from: TestSigner,
  next: Verifier,
  why: readonly unknown[] = [],
): string {
  const hashes = entries.map(each => leafHash(sha256, bytesOf(each)))
  const texts = [verifierText(sha256, from), verifierText(sha256, next)]
  const unsigned = ['key', ...texts, '', ...why] as unknown as KeyStatement
  const at = { index: entries.length, root: rootOf(sha256, hashes), statement: unsigned }
  const signature = sign(null, bytesOf(successionText(at)), from.privateKey).toString('base64')
  const proof = toHex(sha256(bytesOf(`${entries.length} ${texts[1]}`))).slice(0, 40)
  return JSON.stringify([1, '2026-11-22', 'note', 'EUR', [], proof, ['key', ...texts, signature, ...why]])
}

/** All files of a log of these entries, by their paths. */
export function filesOfLog(signer: TestSigner, entries: readonly string[]): Map<string, Uint8Array> {
  const bytes = entries.map(bytesOf)
  const levels = [bytes.map(each => leafHash(sha256, each))]
  while (levels.at(-1)!.length >= 256) levels.push(levelAbove(sha256, levels.at(-1)!))
  const head = { origin: signer.name, size: entries.length, root: rootOf(sha256, levels[0]!) }
  const files = new Map([[CHECKPOINT_PATH, bytesOf(signedNote(signer, checkpointText(head)))]])
  for (const tile of tilesOf(entries.length)) {
    const [from, to] = [tile.index * 256, tile.index * 256 + tile.width]
    const content =
      tile.level === 'entries'
        ? bundleOf(bytes.slice(from, to))
        : joined(...levels[tile.level]!.slice(from, to))
    files.set(tilePath(tile), content)
  }
  return files
}

/** Reads these files, and the proofs that are made of them. */
export const proving =
  (files: ReadonlyMap<string, Uint8Array>) =>
  async (path: string): Promise<Uint8Array | undefined> => {
    const [, what, number] = PROVED_PATH.exec(path) ?? []
    if (what === undefined) return files.get(path)
    const prove = what === 'proof' ? proveLine : proveGrowth
    const text = await prove({ sha256, read: async each => files.get(each) }, Number(number))
    return text === undefined ? undefined : bytesOf(text)
  }
