import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReceiptKind } from '#domain/payout/advice.ts'
import { isThere, readIfThere, writeWhole } from '#server/platform/files.ts'

/** The receipts that organisations attached: beside the database, readable by its owner only. */
export const receiptsFolder = (dataDir: string): string => join(dataDir, 'receipts')

/** A file that is on the disk. */
export interface KeptReceipt {
  readonly kind: ReceiptKind
  /** SHA-256 in hex, which is part of the name: another file of the same link never takes this one's place. */
  readonly digest: string
  readonly bytes: number
}

/** Where the file of a receipt is kept. Another content has another name. */
export function receiptFile(
  dataDir: string,
  adviceId: string,
  { kind, digest }: Pick<KeptReceipt, 'kind' | 'digest'>,
): string {
  return join(receiptsFolder(dataDir), `${adviceId}-${digest.slice(0, 16)}.${kind}`)
}

/** Writes a receipt whole, or not at all. */
export async function keepReceipt(
  dataDir: string,
  adviceId: string,
  kind: ReceiptKind,
  content: Uint8Array,
): Promise<KeptReceipt> {
  const kept = { kind, digest: digestOf(content), bytes: content.length }
  await mkdir(receiptsFolder(dataDir), { recursive: true, mode: 0o700 })
  await writeWhole(receiptFile(dataDir, adviceId, kept), content)
  return kept
}

/** The bytes of a receipt; undefined where the file is missing, or is not the one that was attached. */
export async function readReceipt(
  dataDir: string,
  adviceId: string,
  kept: Pick<KeptReceipt, 'kind' | 'digest'>,
): Promise<Buffer | undefined> {
  const content = await readIfThere(receiptFile(dataDir, adviceId, kept))
  return content !== undefined && digestOf(content) === kept.digest ? content : undefined
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/**
 * Copies receipts from one folder to another, each whole. What is there already is not written again, but has the time
 * of this copy, so that a backup never grows old.
 * @param now epoch ms UTC
 * @returns how many receipts the other folder has now
 */
export async function copyReceipts(from: string, to: string, now: number): Promise<number> {
  const names = await readdir(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const receipts = names.filter(name => RECEIPT_NAME.test(name))
  if (receipts.length === 0) return 0
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of receipts) {
    const target = join(to, name)
    if (!(await isThere(target))) await writeWhole(target, await readFile(join(from, name)))
    else await utimes(target, now / 1000, now / 1000)
  }
  return receipts.length
}

const RECEIPT_NAME = /^[0-9a-z]{26}-[0-9a-f]{16}\.(?:pdf|png|jpg)$/
