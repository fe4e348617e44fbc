import { hash } from 'node:crypto'
import type { Sha256 } from '#domain/public-ledger/bytes.ts'

/** SHA-256 of bytes: 32 bytes. */
export const sha256: Sha256 = bytes => hash('sha256', bytes, 'buffer')
