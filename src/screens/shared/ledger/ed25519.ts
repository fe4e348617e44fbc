/** Ed25519 as a file of its own, for browsers that do not know it and pages without TLS, where they know nothing. */
import { hashes, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import type { VerifySignature } from '#domain/public-ledger/note.ts'

hashes.sha512 = sha512

export const verifySignature: VerifySignature = (publicKey, message, signature) =>
  verify(signature, message, publicKey)
