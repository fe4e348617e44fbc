import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { VerifyBeacon } from '#domain/public-ledger/drand.ts'

const { shortSignatures } = bls12_381
/** Says what is signed for: it stands in the description of the scheme `bls-unchained-g1-rfc9380`. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_'

/** Does a signature of drand's network fit? Takes some ten milliseconds. */
export const verifyBeacon: VerifyBeacon = (publicKey, message, signature) => {
  try {
    return shortSignatures.verify(signature, shortSignatures.hash(message, DOMAIN), publicKey)
  } catch {
    // The bytes are no points of the curve.
    return false
  }
}
