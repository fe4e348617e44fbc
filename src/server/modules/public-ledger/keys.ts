import { randomBytes } from 'node:crypto'
import { bytesOf, fromHex, toBase64, toHex } from '#domain/public-ledger/bytes.ts'
import { readCheckpoint } from '#domain/public-ledger/checkpoint.ts'
import { leafText } from '#domain/public-ledger/leaf.ts'
import { readNote, signerOf } from '#domain/public-ledger/note.ts'
import type { KeyStatement } from '#domain/public-ledger/statements.ts'
import { successionText } from '#domain/public-ledger/succession.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sha256 } from './sha256.ts'
import { createSigner, type LedgerSigner, verifySignature } from './signer.ts'

/** The keys that the log is, or was, signed with here. */
export interface LedgerKeys {
  /** Under the name that the log has at its beginning. */
  readonly signer: LedgerSigner
  /** Keys of before, of which the newest may have to name its next one. None when missing. */
  readonly earlier?: readonly LedgerSigner[]
}

/**
 * The keys of a log.
 * @param secret LEDGER_KEY
 * @param earlier LEDGER_KEY_EARLIER, the newest first
 * @param origin names the log: `originOf` the site
 */
export const ledgerKeys = (secret: string, earlier: readonly string[], origin: string): LedgerKeys => ({
  signer: createSigner(secret, origin),
  earlier: earlier.map(each => createSigner(each, origin)),
})

/** The newest head of before a backup that lacks lines, from which the log goes on under another name. */
export interface Fork {
  readonly size: number
  /** Hex. */
  readonly root: string
}

/** How often the log had to go on under another name, and the head that was left the last time. */
export async function forksOf(
  db: Reader,
): Promise<{ readonly count: number; readonly last: Fork | undefined }> {
  const rows = await db.selectFrom('ledger_forks').selectAll().orderBy('number').execute()
  return { count: rows.length, last: rows.at(-1) }
}

/** The name of the log after so many forks. */
export const nameAfter = (origin: string, forks: number): string =>
  forks === 0 ? origin : `${origin}/${forks + 1}`

/** How many forks were before this name: `gifts.example/ledger/2` → 1. */
export const forksIn = (origin: string): number => Number(/\/ledger\/(\d+)$/.exec(origin)?.[1] ?? 1) - 1

/** The name of the log that a signed head is of. */
export const originIn = (note: string): string => note.split('\n')[0] ?? ''

/** Which of our keys has signed a head; undefined for none. */
export function signerOfHead({ signer, earlier = [] }: LedgerKeys, note: string): LedgerSigner | undefined {
  const name = originIn(note)
  const { text, signatures } = readNote(note)
  return [signer, ...earlier]
    .map(each => each.under(name))
    .find(({ verifier }) =>
      signatures.some(
        each =>
          signerOf(sha256, each, [verifier]) !== undefined &&
          verifySignature(verifier.publicKey, bytesOf(text), each.signature),
      ),
    )
}

/**
 * The line by which the key that has signed the newest head names the next one.
 * @param at the size and root that it stands at
 * @param fork where the log goes on after a backup
 */
export function successionLeaf(
  from: LedgerSigner,
  next: LedgerSigner,
  {
    index,
    root,
    day,
    fork,
  }: {
    readonly index: number
    readonly root: Uint8Array
    readonly day: string
    readonly fork: Fork | undefined
  },
): string {
  const why = fork ? ([fork.size, toBase64(fromHex(fork.root)), 'restored'] as const) : ([] as const)
  const unsigned = ['key', from.verifierText, next.verifierText, '', ...why] as unknown as KeyStatement
  const signature = toBase64(from.signText(successionText({ index, root, statement: unsigned })))
  return leafText({
    day,
    cause: 'note',
    currency: 'EUR',
    amounts: [],
    // Nobody has to show whose it is.
    proof: toHex(randomBytes(20)),
    key: ['key', from.verifierText, next.verifierText, signature, ...why] as unknown as KeyStatement,
  })
}

/** The size and the root of a head. @throws RangeError where it is none */
export function headIn(note: string): {
  readonly origin: string
  readonly size: number
  readonly root: string
} {
  const { origin, size, root } = readCheckpoint(readNote(note).text)
  return { origin, size, root: toHex(root) }
}
