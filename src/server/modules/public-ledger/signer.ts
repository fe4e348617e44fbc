import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'
import { bytesOf, fromHex } from '#domain/public-ledger/bytes.ts'
import { type Checkpoint, checkpointText } from '#domain/public-ledger/checkpoint.ts'
import {
  noteOf,
  signatureLine,
  type Verifier,
  type VerifySignature,
  verifierText,
} from '#domain/public-ledger/note.ts'
import { sha256 } from './sha256.ts'

/** Signs the heads of the public ledger. */
export interface LedgerSigner {
  readonly verifier: Verifier
  /** The public half as people write it: `name+id+key`. */
  readonly verifierText: string
  /** A signed checkpoint. */
  sign(head: Omit<Checkpoint, 'origin'>): string
  /** The signature of a text of ours that is no checkpoint. */
  signText(text: string): Uint8Array
  /** The same key for a log of another name. */
  under(origin: string): LedgerSigner
}

/** What stands before the 32 bytes of a private key of Ed25519 in PKCS #8 (RFC 8410). */
const PKCS8 = fromHex('302e020100300506032b657004220420')

/**
 * The signer of a site's public ledger.
 * @param secret LEDGER_KEY: the key is derived from it, and from nothing else
 * @param origin names the log: `originOf` the site
 */
export function createSigner(secret: string, origin: string): LedgerSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'key of the public ledger', 32))
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const verifier = { name: origin, publicKey: publicBytes(privateKey) }
  const signer: LedgerSigner = {
    verifier,
    verifierText: verifierText(sha256, verifier),
    sign(head) {
      const text = checkpointText({ origin: verifier.name, ...head })
      return noteOf(text, signatureLine(sha256, verifier, sign(null, bytesOf(text), privateKey)))
    },
    signText: text => sign(null, bytesOf(text), privateKey),
    under: name => (name === origin ? signer : createSigner(secret, name)),
  }
  return signer
}

const publicBytes = (key: KeyObject): Uint8Array =>
  Uint8Array.from(Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url'))

/** Does an Ed25519 signature fit? */
export const verifySignature: VerifySignature = (publicKey, message, signature) => {
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') }
  return verify(null, message, createPublicKey({ format: 'jwk', key }), signature)
}
